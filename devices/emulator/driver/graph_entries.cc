// SPDX-License-Identifier: Apache-2.0
// Graphs: made of captured streams or node by node, instantiated in the order of their dependencies,
// launched.
#include <algorithm>
#include <map>

#include "devices/emulator/driver/call.h"

namespace assay::emulator {
namespace {

bool has_node(const abi::GraphObject& graph, const abi::NodeObject* node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [node](const auto& one) { return one.get() == node; });
}

abi::Result with_graph(const char* call, abi::Graph graph, auto f) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) -> abi::Result {
    if (!context.graphs.knows(graph)) return abi::invalid_value;
    return f(driver, context);
  });
}

abi::Result with_exec(const char* call, abi::GraphExec exec, auto f) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) -> abi::Result {
    if (!context.graph_execs.knows(exec)) return abi::invalid_value;
    return f(driver, context);
  });
}

/// A graph of the context that has the node.
abi::Graph graph_of(const abi::ContextObject& context, const abi::NodeObject* node) {
  for (const auto& [handle, graph] : context.graphs.all())
    if (has_node(*graph, node)) return handle;
  return nullptr;
}

abi::Result add_node(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after, size_t count,
                     abi::GraphNodeType type, abi::Work work, const std::string& kernel = {}) {
  if (node == nullptr || (count != 0 && after == nullptr)) return abi::invalid_value;
  for (size_t i = 0; i < count; ++i)
    if (!has_node(*graph, after[i])) return abi::invalid_value;
  graph->nodes.push_back(std::make_unique<abi::NodeObject>(
      abi::NodeObject{graph, type, std::move(work), {after, after + count}, kernel}));
  *node = graph->nodes.back().get();
  return abi::success;
}

/// Nodes in an order in which each comes after what it waits for; fewer than there are: they wait in a
/// circle.
std::vector<const abi::NodeObject*> in_order(const abi::GraphObject& graph) {
  std::vector<const abi::NodeObject*> order;
  const auto is_done = [&](const abi::NodeObject* node) {
    return std::find(order.begin(), order.end(), node) != order.end();
  };
  for (bool moves = true; moves;) {
    moves = false;
    for (const auto& node : graph.nodes)
      if (!is_done(node.get()) && std::all_of(node->after.begin(), node->after.end(), is_done)) {
        order.push_back(node.get());
        moves = true;
      }
  }
  return order;
}

abi::Result make_steps(const abi::GraphObject& graph, std::vector<abi::GraphExecObject::Step>& steps) {
  const auto order = in_order(graph);
  if (order.size() != graph.nodes.size()) return abi::invalid_value;
  for (const abi::NodeObject* node : order) steps.push_back({node, node->type, node->work, node->kernel});
  return abi::success;
}

abi::Result run_steps(Driver& driver, abi::ContextObject& context,
                      const std::vector<abi::GraphExecObject::Step>& steps) {
  for (const auto& step : steps) {
    if (const abi::Result result = do_work(driver, context, step.type, step.work); result != abi::success)
      return result;
    if (context.sticky != abi::success) return abi::success;  // told by the next call
  }
  return abi::success;
}

abi::Result kernel_work(Driver& driver, abi::ContextObject& context, const abi::KernelNodeParams* params,
                        PreparedLaunch& prepared) {
  if (params == nullptr) return abi::invalid_value;
  const abi::Function function =
      params->function != nullptr ? params->function : reinterpret_cast<abi::Function>(params->kernel);
  const abi::LaunchConfig config{
      params->grid_x,  params->grid_y,       params->grid_z, params->block_x, params->block_y,
      params->block_z, params->shared_bytes, nullptr,        nullptr,         0};
  return prepare_launch(driver, context, config, function, params->params, params->extra, prepared);
}

abi::Result instantiate(const char* call, abi::GraphExec* exec, abi::Graph graph) {
  return with_graph(call, graph, [&](Driver&, abi::ContextObject& context) {
    if (exec == nullptr) return abi::invalid_value;
    auto made = std::make_unique<abi::GraphExecObject>();
    if (const abi::Result result = make_steps(*graph, made->steps); result != abi::success) return result;
    *exec = context.graph_execs.add(std::move(made));
    return abi::success;
  });
}

template <typename Choose>
abi::Result list_nodes(const char* call, abi::Graph graph, abi::GraphNode* nodes, size_t* count,
                       Choose choose) {
  return with_graph(call, graph, [&](Driver&, abi::ContextObject&) {
    if (count == nullptr) return abi::invalid_value;
    std::vector<abi::GraphNode> chosen;
    for (const auto& node : graph->nodes)
      if (choose(*node)) chosen.push_back(node.get());
    if (nodes != nullptr) {
      for (size_t i = 0; i < *count; ++i) nodes[i] = i < chosen.size() ? chosen[i] : nullptr;
      *count = std::min(*count, chosen.size());
    } else {
      *count = chosen.size();
    }
    return abi::success;
  });
}

}  // namespace

abi::Result cuGraphCreate(abi::Graph* graph, unsigned flags) {
  return in_context("cuGraphCreate", [&](Driver&, abi::ContextObject& context) {
    if (graph == nullptr || flags != 0) return abi::invalid_value;
    *graph = context.graphs.add(std::make_unique<abi::GraphObject>());
    return abi::success;
  });
}

abi::Result cuGraphDestroy(abi::Graph graph) {
  return with_graph("cuGraphDestroy", graph, [&](Driver&, abi::ContextObject& context) {
    context.graphs.remove(graph);
    return abi::success;
  });
}

abi::Result cuGraphClone(abi::Graph* clone, abi::Graph graph) {
  return with_graph("cuGraphClone", graph, [&](Driver&, abi::ContextObject& context) {
    if (clone == nullptr) return abi::invalid_value;
    auto made = std::make_unique<abi::GraphObject>();
    std::map<const abi::NodeObject*, abi::NodeObject*> copies;
    for (const auto& node : graph->nodes) {
      made->nodes.push_back(std::make_unique<abi::NodeObject>(*node));
      made->nodes.back()->graph = made.get();
      copies[node.get()] = made->nodes.back().get();
    }
    for (const auto& node : made->nodes)
      for (abi::NodeObject*& before : node->after) before = copies[before];
    *clone = context.graphs.add(std::move(made));
    return abi::success;
  });
}

abi::Result cuGraphAddKernelNode_v2(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                    size_t count, const abi::KernelNodeParams* params) {
  return with_graph("cuGraphAddKernelNode", graph, [&](Driver& driver, abi::ContextObject& context) {
    PreparedLaunch prepared;
    if (const abi::Result result = kernel_work(driver, context, params, prepared); result != abi::success)
      return result;
    return add_node(node, graph, after, count, abi::node_kernel, prepared.work, prepared.kernel);
  });
}

abi::Result cuGraphKernelNodeSetParams_v2(abi::GraphNode node, const abi::KernelNodeParams* params) {
  return in_context("cuGraphKernelNodeSetParams", [&](Driver& driver, abi::ContextObject& context) {
    if (graph_of(context, node) == nullptr || node->type != abi::node_kernel) return abi::invalid_value;
    PreparedLaunch prepared;
    if (const abi::Result result = kernel_work(driver, context, params, prepared); result != abi::success)
      return result;
    node->work = prepared.work;
    node->kernel = prepared.kernel;
    return abi::success;
  });
}

abi::Result cuGraphAddMemcpyNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                 size_t count, const abi::Memcpy3d* copy, abi::Context) {
  return with_graph("cuGraphAddMemcpyNode", graph, [&](Driver&, abi::ContextObject&) {
    if (copy == nullptr) return abi::invalid_value;
    return add_node(node, graph, after, count, abi::node_memcpy,
                    [copy = *copy](Driver&, abi::ContextObject&) { return cuMemcpy3D_v2(&copy); });
  });
}

abi::Result cuGraphAddMemsetNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                 size_t count, const abi::MemsetNodeParams* set, abi::Context) {
  return with_graph("cuGraphAddMemsetNode", graph, [&](Driver&, abi::ContextObject&) {
    if (set == nullptr) return abi::invalid_value;
    const auto work = [set = *set](Driver&, abi::ContextObject&) {
      const size_t pitch = set.height > 1 ? set.pitch : 0;
      switch (set.element_bytes) {
        case 1:
          return cuMemsetD2D8_v2(set.to, pitch, static_cast<unsigned char>(set.value), set.width, set.height);
        case 2:
          return cuMemsetD2D16_v2(set.to, pitch, static_cast<unsigned short>(set.value), set.width,
                                  set.height);
        default:
          return cuMemsetD2D32_v2(set.to, pitch, set.value, set.width, set.height);
      }
    };
    if (set->element_bytes != 1 && set->element_bytes != 2 && set->element_bytes != 4)
      return abi::invalid_value;
    return add_node(node, graph, after, count, abi::node_memset, work);
  });
}

abi::Result cuGraphAddHostNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                               size_t count, const abi::HostNodeParams* params) {
  return with_graph("cuGraphAddHostNode", graph, [&](Driver&, abi::ContextObject&) {
    if (params == nullptr || params->function == nullptr) return abi::invalid_value;
    return add_node(node, graph, after, count, abi::node_host,
                    [params = *params](Driver&, abi::ContextObject&) {
                      params.function(params.data);
                      return abi::success;
                    });
  });
}

abi::Result cuGraphAddEmptyNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                size_t count) {
  return with_graph("cuGraphAddEmptyNode", graph, [&](Driver&, abi::ContextObject&) {
    return add_node(node, graph, after, count, abi::node_empty, {});
  });
}

/// The child is taken as it is now.
abi::Result cuGraphAddChildGraphNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                     size_t count, abi::Graph child) {
  return with_graph("cuGraphAddChildGraphNode", graph, [&](Driver&, abi::ContextObject& context) {
    if (!context.graphs.knows(child)) return abi::invalid_value;
    std::vector<abi::GraphExecObject::Step> steps;
    if (const abi::Result result = make_steps(*child, steps); result != abi::success) return result;
    return add_node(node, graph, after, count, abi::node_graph,
                    [steps](Driver& driver, abi::ContextObject& in) { return run_steps(driver, in, steps); });
  });
}

abi::Result cuGraphAddDependencies_v2(abi::Graph graph, const abi::GraphNode* from, const abi::GraphNode* to,
                                      const void*, size_t count) {
  return with_graph("cuGraphAddDependencies", graph, [&](Driver&, abi::ContextObject&) {
    if (count != 0 && (from == nullptr || to == nullptr)) return abi::invalid_value;
    for (size_t i = 0; i < count; ++i) {
      if (!has_node(*graph, from[i]) || !has_node(*graph, to[i]) || from[i] == to[i])
        return abi::invalid_value;
      to[i]->after.push_back(from[i]);
    }
    return abi::success;
  });
}

abi::Result cuGraphNodeGetType(abi::GraphNode node, int* type) {
  return in_context("cuGraphNodeGetType", [&](Driver&, abi::ContextObject& context) {
    if (type == nullptr || graph_of(context, node) == nullptr) return abi::invalid_value;
    *type = node->type;
    return abi::success;
  });
}

abi::Result cuGraphGetNodes(abi::Graph graph, abi::GraphNode* nodes, size_t* count) {
  return list_nodes("cuGraphGetNodes", graph, nodes, count, [](const abi::NodeObject&) { return true; });
}
abi::Result cuGraphGetRootNodes(abi::Graph graph, abi::GraphNode* nodes, size_t* count) {
  return list_nodes("cuGraphGetRootNodes", graph, nodes, count,
                    [](const abi::NodeObject& node) { return node.after.empty(); });
}

abi::Result cuGraphInstantiateWithFlags(abi::GraphExec* exec, abi::Graph graph, unsigned long long) {
  return instantiate("cuGraphInstantiateWithFlags", exec, graph);
}
abi::Result cuGraphInstantiateWithParams(abi::GraphExec* exec, abi::Graph graph,
                                         abi::GraphInstantiateParams* params) {
  if (params == nullptr) return abi::invalid_value;
  const abi::Result result = instantiate("cuGraphInstantiateWithParams", exec, graph);
  params->error_node = nullptr;
  params->result = result == abi::success ? 0 : 1;
  return result;
}

abi::Result cuGraphExecKernelNodeSetParams_v2(abi::GraphExec exec, abi::GraphNode node,
                                              const abi::KernelNodeParams* params) {
  return with_exec("cuGraphExecKernelNodeSetParams", exec, [&](Driver& driver, abi::ContextObject& context) {
    PreparedLaunch prepared;
    if (const abi::Result result = kernel_work(driver, context, params, prepared); result != abi::success)
      return result;
    for (auto& step : exec->steps)
      if (step.node == node && step.type == abi::node_kernel) {
        step.work = prepared.work;
        step.kernel = prepared.kernel;
        return abi::success;
      }
    return abi::invalid_value;
  });
}

/// The new graph must have the same nodes in the same order.
abi::Result cuGraphExecUpdate_v2(abi::GraphExec exec, abi::Graph graph, abi::GraphExecUpdateInfo* info) {
  return with_exec("cuGraphExecUpdate", exec, [&](Driver&, abi::ContextObject& context) {
    if (info == nullptr || !context.graphs.knows(graph)) return abi::invalid_value;
    *info = {};
    std::vector<abi::GraphExecObject::Step> steps;
    if (const abi::Result result = make_steps(*graph, steps); result != abi::success) return result;
    bool is_alike = steps.size() == exec->steps.size();
    for (size_t i = 0; is_alike && i < steps.size(); ++i) is_alike = steps[i].type == exec->steps[i].type;
    if (!is_alike) {
      info->result = 2;  // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
      return abi::graph_exec_update_failure;
    }
    exec->steps = std::move(steps);
    return abi::success;
  });
}

abi::Result cuGraphUpload(abi::GraphExec exec, abi::Stream stream) {
  return with_exec("cuGraphUpload", exec, [&](Driver&, abi::ContextObject& context) {
    return is_stream(context, stream) ? abi::success : abi::invalid_handle;
  });
}

abi::Result cuGraphLaunch(abi::GraphExec exec, abi::Stream stream) {
  return with_exec("cuGraphLaunch", exec, [&](Driver& driver, abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    StreamHistory& streams = context.gpu->streams();
    streams.waits(number_of(stream), exec->given);
    const abi::Result result = in_stream(driver, context, stream, abi::node_graph,
                                         [steps = exec->steps](Driver& driver, abi::ContextObject& in) {
                                           return run_steps(driver, in, steps);
                                         });
    exec->given = streams.given(number_of(stream));
    return result;
  });
}

abi::Result cuGraphExecDestroy(abi::GraphExec exec) {
  return with_exec("cuGraphExecDestroy", exec, [&](Driver&, abi::ContextObject& context) {
    context.graph_execs.remove(exec);
    return abi::success;
  });
}

}  // namespace assay::emulator
