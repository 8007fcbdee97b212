import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import { serviceJobs } from './job_names.ts';

interface Facts {
  readonly ref: string;
  readonly does: string;
}

const jobs: ReadonlyMap<string, Facts> = new Map(
  Object.values<Readonly<Record<string, Facts>>>(serviceJobs).flatMap((of) => Object.entries(of)),
);
const isKind = (ref: string): ref is IdKind => ref in idPrefixes;

/** A job's work in words; of a name that this release does not know, the name. */
export const doesOf = (name: string): string => jobs.get(name)?.does ?? name;

/** The id of the record that a job is about; null where that has none. */
export function recordOf(name: string, ref: string): string | null {
  const facts = jobs.get(name);
  return facts && isKind(facts.ref) ? publicId(facts.ref, ref) : null;
}
