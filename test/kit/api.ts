import { type Calls, openCalls } from './http/http.ts';
import { openPeople, type People } from './person.ts';
import { openRecords, type Records } from './records.ts';

/**
 * A Tenant's server over HTTP: its requests, the people it has and the records it makes. Every reply is
 * checked against the contract.
 */
export type Api = Calls & People & Records;

/** Its parameters are those of `openCalls`. */
export function openApi(...given: Parameters<typeof openCalls>): Api {
  const calls = openCalls(...given);
  return { ...calls, ...openPeople(calls), ...openRecords(calls) };
}
