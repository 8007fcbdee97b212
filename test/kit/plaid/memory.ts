import type {
  RailObject,
  RailObjects,
  Receipt,
} from '../../../service/rails/providers/provider.ts';

/** The memory and the reports of an adapter beside which no service runs. */
export function memoryOfTest() {
  const kept = new Map<string, RailObject>();
  const all = () => [...kept.values()];
  const objects: RailObjects = {
    get: async (kind, key) => kept.get(`${kind} ${key}`) ?? null,
    put: async (object) => void kept.set(`${object.kind} ${object.key}`, object),
    list: async (kind) => all().filter((one) => one.kind === kind),
    byRecord: async (_tenantId, record) => all().filter((one) => one.record === record),
  };
  const reported: Receipt[] = [];
  const report = async (found: readonly Receipt[]) => void reported.push(...found);
  return { objects, reported, report };
}
