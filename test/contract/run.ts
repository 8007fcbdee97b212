import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { openApi } from '../kit/api.ts';
import type { Reply } from '../kit/http/http.ts';
import { variantsOf } from './cases/bases.ts';
import { casesOf } from './cases/cases.ts';
import { type Case, isMisshapen, type Misshapen, tryCase } from './judge.ts';
import { type Credentials, playScenario, type Scenario } from './scenario.ts';
import type { Sender } from './send.ts';

/** A deployment that is checked against the contract. */
export interface Deployment {
  readonly baseUrl: string;
  readonly sender: Sender;
  readonly token: string;
  /** The Tenant's own; null: its token cannot be requested. */
  readonly credentials: Credentials | null;
  /** Another Tenant's token; null: what other Tenants see is not tried. */
  readonly strangerToken: string | null;
  /** A text that differs when any record does. */
  readonly digest: (of: Pick<Scenario, 'token' | 'payer' | 'shop'>) => Promise<string>;
  /**
   * The refusal of a request that is wrong in its shape, found without sending it; null: its shape is right.
   * Absent: all are sent.
   */
  readonly shapeReply?: (endpoint: EndpointDefinition, one: Misshapen) => Reply | null;
}

export interface Verdict {
  readonly operation: string;
  readonly cases: number;
  /** `what: why`, one a case. */
  readonly violations: readonly string[];
}

interface Conformance {
  /** The operations that have answered with success so far, by id. */
  readonly answered: ReadonlySet<string>;
  /** Sends all cases of one operation and checks the replies. */
  check(endpoint: EndpointDefinition): Promise<Verdict>;
}

/** Every operation that is served, in the contract's order. */
export const operations: readonly EndpointDefinition[] =
  Object.values<EndpointDefinition>(endpoints);

/** The lines of one digest that the other has not. */
function differences(before: string, after: string): string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
}

const days = 3 * 86_400;

/** Makes the records of the Tenant, and of the other Tenant. */
export async function openConformance(deployment: Deployment): Promise<Conformance> {
  const { baseUrl, sender, token, strangerToken, credentials, digest, shapeReply } = deployment;
  const answered = new Set<string>();
  // A report is there once its day is over.
  await openApi(baseUrl, token).advance(days);
  const [scenario, stranger] = await Promise.all([
    playScenario(baseUrl, token, credentials),
    strangerToken === null ? null : playScenario(baseUrl, strangerToken),
  ]);

  async function tryAll({ id }: EndpointDefinition, cases: readonly Case[]): Promise<string[]> {
    const violations: string[] = [];
    await sender.all(cases, async (one) => {
      const { isSuccess, fault } = await tryCase(sender, one);
      if (isSuccess) answered.add(id);
      if (fault !== null) violations.push(`${one.name}: ${fault}`);
    });
    return violations;
  }

  /** Parts what must be sent from what is answered without; of each field one such case is sent. */
  function partShapes(endpoint: EndpointDefinition, cases: readonly Case[]) {
    const fields = new Set<string>();
    const [sent, violations]: [Case[], string[]] = [[], []];
    for (const one of cases) {
      const { part, field } = one.byShape ?? {};
      const isKnown = fields.has(`${part} ${field}`);
      const reply = isKnown && isMisshapen(one) ? shapeReply?.(endpoint, one) : null;
      if (part) fields.add(`${part} ${field}`);
      if (!reply) sent.push(one);
      const fault = reply && one.check(reply, reply);
      if (fault) violations.push(`${one.name}: ${fault}`);
    }
    return { sent, violations };
  }

  return {
    answered,
    async check(endpoint) {
      let count = 0;
      const violations: string[] = [];
      for (const variant of variantsOf(endpoint)) {
        const { refusals, changes } = await casesOf(endpoint, variant, scenario, stranger);
        const before = await digest(scenario);
        const shapes = partShapes(endpoint, refusals);
        const found = [...shapes.violations, ...(await tryAll(endpoint, shapes.sent))];
        const changed = differences(before, await digest(scenario));
        found.push(...changed.map((line) => `the refusals changed ${line}`));
        found.push(...(await tryAll(endpoint, changes.slice(0, 1))));
        found.push(...(await tryAll(endpoint, changes.slice(1))));
        count += refusals.length + changes.length;
        violations.push(...found.map((violation) => `${variant.name}, ${violation}`));
      }
      return { operation: endpoint.id, cases: count, violations };
    },
  };
}
