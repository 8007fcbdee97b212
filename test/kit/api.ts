import { type Calls, callsBy, openCalls } from './http/http.ts';
import { openPeople, type People } from './person.ts';
import { openRecords, type Records } from './records.ts';

/**
 * A Tenant's server over HTTP: its requests, the people it has and the records it makes. Every reply is
 * checked against the contract.
 */
export type Api = Calls & People & Records;

const apiOf = (calls: Calls): Api => ({ ...calls, ...openPeople(calls), ...openRecords(calls) });

/** Its parameters are those of `openCalls`. */
export const openApi = (...given: Parameters<typeof openCalls>): Api => apiOf(openCalls(...given));

/** The server of a Tenant that sends its requests by `call`. */
export const apiBy = (call: Calls['call']): Api => apiOf(callsBy(call));
