import type { EndpointId, SimulateName } from '../../catalog.ts';
import type { Json } from '../openapi/schemas.ts';

/** Values that a step prepares before it is sent, by variable. */
export type Preparation = 'new_customer' | 'now' | 'past_day';

/** One request of the collection. Texts may hold `{{variables}}` from earlier steps. */
export interface Step {
  readonly operation: EndpointId;
  /** Used in place of the operation's summary. */
  readonly name?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly before?: Preparation;
  /** Variables to keep, each with its place in the reply. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Expected values of the reply, by place. */
  readonly expect?: Readonly<Record<string, string | number>>;
  /** A refusal that is also correct, because the answer depends on the Tenant's age. */
  readonly orRefused?: string;
}

export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly Step[];
}

/** Acts for an outside actor. */
export const simulate = (event: SimulateName, variable: string, name: string): Step => ({
  operation: 'simulateEvent',
  name,
  path: { event },
  body: { object_id: `{{${variable}}}` },
});

/** Reads a record and checks its status. */
export const read = (
  operation: EndpointId,
  variable: string,
  status: string,
  name: string,
): Step => ({
  operation,
  name,
  path: { id: `{{${variable}}}` },
  expect: { status },
});
