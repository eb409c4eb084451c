// The module `v8`: its serializer, and the heap statistics that programs ask for.
import { absent } from "./absent.js";
import process from "./process.js";
import { DefaultDeserializer, deserialize, Deserializer } from "./v8-deserializer.js";
import { DefaultSerializer, serialize, Serializer } from "./v8-serializer.js";

const limit = 512 * 1024 * 1024;

export const v8 = () => ({
  Serializer,
  Deserializer,
  DefaultSerializer,
  DefaultDeserializer,
  serialize,
  deserialize,
  cachedDataVersionTag: () => 0,
  getHeapStatistics() {
    const { heapTotal, heapUsed } = process.memoryUsage();
    return {
      total_heap_size: heapTotal,
      total_heap_size_executable: 0,
      total_physical_size: heapTotal,
      total_available_size: Math.max(0, limit - heapUsed),
      used_heap_size: heapUsed,
      heap_size_limit: limit,
      malloced_memory: 0,
      peak_malloced_memory: 0,
      does_zap_garbage: 0,
      number_of_native_contexts: 1,
      number_of_detached_contexts: 0,
      total_global_handles_size: 0,
      used_global_handles_size: 0,
      external_memory: 0,
    };
  },
  getHeapSpaceStatistics: () => [],
  setFlagsFromString() {},
  setHeapSnapshotNearHeapLimit() {},
  startupSnapshot: { isBuildingSnapshot: () => false },
  ...absent(
    "the engine's own measurements can't be had here",
    "getHeapSnapshot writeHeapSnapshot takeCoverage stopCoverage queryObjects GCProfiler",
  ),
});
