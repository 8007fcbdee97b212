import type { EndpointId, SimulateName } from '../../catalog.ts';
import type { Json } from '../openapi/schemas.ts';

/** What a step prepares before it is sent, by the variables that it sets. */
export type Preparation = 'new_customer' | 'now' | 'past_day';

/** One request of the collection. Texts may hold `{{variables}}` that steps before it kept. */
export interface Step {
  readonly operation: EndpointId;
  /** Where the operation's summary does not say what it does here. */
  readonly name?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly before?: Preparation;
  /** Variables, each with the place in the reply that it is taken from. */
  readonly keep?: Readonly<Record<string, string>>;
  /** What the reply must hold, by place. */
  readonly expect?: Readonly<Record<string, string | number>>;
  /** A refusal that is right as well, where the answer depends on the age of the Tenant. */
  readonly orRefused?: string;
}

export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly Step[];
}

/** Plays an actor of the outside. */
export const simulate = (event: SimulateName, variable: string, name: string): Step => ({
  operation: 'simulateEvent',
  name,
  path: { event },
  body: { object_id: `{{${variable}}}` },
});

/** Reads a record and holds it against a status. */
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
