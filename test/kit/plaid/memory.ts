import { randomUUID } from 'node:crypto';
import {
  Outdated,
  type RailObject,
  type RailObjects,
  type Receipt,
} from '../../../service/rails/providers/provider.ts';

/** The memory and the reports of an adapter beside which no service runs. */
export function memoryOfTest() {
  const kept = new Map<string, RailObject>();
  const all = () => [...kept.values()];
  const objects: RailObjects = {
    get: async (kind, key) => kept.get(`${kind} ${key}`) ?? null,
    async put(object) {
      const name = `${object.kind} ${object.key}`;
      const now = kept.get(name)?.revision ?? null;
      if (object.revision !== undefined && object.revision !== now) throw new Outdated(name);
      kept.set(name, { ...object, revision: randomUUID() });
    },
    list: async (kind, after, limit) =>
      all()
        .filter((one) => one.kind === kind && one.key > (after ?? ''))
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .slice(0, limit),
    byRecord: async (_tenantId, record) => all().filter((one) => one.record === record),
  };
  const reported: Receipt[] = [];
  const report = async (found: readonly Receipt[]) => void reported.push(...found);
  return { objects, reported, report };
}
