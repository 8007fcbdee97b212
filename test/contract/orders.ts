import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { checkReply } from '../kit/contract_check.ts';
import {
  type CodeNeeds,
  codeTable,
  flowsAre,
  isCase,
  type Provocation,
  provoke,
  toldFault,
  turnOf,
} from './codes.ts';
import { faults, type Means } from './order_faults.ts';
import { neighbours, pairTable, specificOf } from './order_pairs.ts';
import { type Draft, draftOf, rawOf } from './requests.ts';
import { operations } from './run.ts';
import type { Sender } from './send.ts';

/** Two things wrong at once, for every operation: what decisions 1.0 check first is told. */

interface Wrong {
  readonly name: string;
  readonly draft: Draft;
  readonly told: Parameters<typeof toldFault>[0];
}

async function faultOf({ draft, told }: Wrong, sender: Sender): Promise<string | null> {
  const request = rawOf(draft);
  const reply = await sender.send(request);
  checkReply(request.method, request.path, reply);
  return toldFault(told, reply);
}

/** The cases that ask for records: each is wrong in something that is looked at late. */
const specifics: readonly Provocation[] = codeTable().provocations.filter(
  (one) =>
    isCase(one.how) && turnOf(one) === 'at once' && specificOf(one.endpoint).includes(one.code),
);

/** A late refusal, and before it whatever can be wrong with any request. */
async function withGeneral(one: Provocation, needs: CodeNeeds, means: Means): Promise<Wrong[]> {
  const draft = await provoke(one, needs);
  return faults
    .filter(({ name, applies }) => name !== 'an unknown id' && applies(draft))
    .map(({ name, make, told: [code, param, reason] }) => ({
      name: `${one.endpoint.id}: ${name} before ${one.code}`,
      draft: make(draft, means),
      told: { code, ...(param && { param }), ...(reason && { reason }) },
    }));
}

/** A late refusal of a Tenant whose flows are off. */
async function withoutFlow(one: Provocation, needs: CodeNeeds): Promise<Wrong> {
  return {
    name: `${one.endpoint.id}: flow_not_enabled before ${one.code}`,
    draft: await provoke(one, needs),
    told: { code: 'flow_not_enabled' },
  };
}

interface Row {
  readonly name: string;
  readonly endpoint: EndpointDefinition;
  readonly code: ErrorCode;
}

function rowOf(name: string): Row {
  const [id = '', pair = ''] = name.split(': ');
  const endpoint = operations.find((one) => one.id === id);
  if (!endpoint) throw new Error(`${name}: no such operation`);
  return { name, endpoint, code: pair.split(' before ')[0] as ErrorCode };
}

/** Neighbours that have neither a request nor a reason. A flow is off for every case there is. */
export const withoutRow: readonly string[] = neighbours.filter(
  (name) => pairTable[name] === undefined && !name.includes(': flow_not_enabled before'),
);
export const exemptPairs: readonly string[] = Object.entries(pairTable).flatMap(([name, how]) =>
  typeof how === 'string' ? [`${name}: ${how}`] : [],
);

async function pairsOf(
  when: 'at once' | 'late' | 'production',
  { cast, scenario, production }: CodeNeeds,
): Promise<Wrong[]> {
  const token = when === 'production' ? (production?.token ?? '') : scenario.token;
  const rows = Object.entries(pairTable).flatMap(([name, how]) => {
    if (typeof how === 'string') return [];
    const turn = how.late ? 'late' : how.production ? 'production' : 'at once';
    return turn === when ? [{ ...rowOf(name), how }] : [];
  });
  return Promise.all(
    rows.map(async ({ name, endpoint, code, how: { make, param, reason } }) => ({
      name,
      draft: draftOf(endpoint, await make(cast), token),
      told: { code, ...(param && { param }), ...(reason && { reason }) },
    })),
  );
}

export interface OrderFigures {
  readonly pairs: number;
  readonly exempt: readonly string[];
  readonly violations: readonly string[];
}

const daySeconds = 86_400;

/** Tries every pair. It ends with an advance of the clock by a day. */
export async function checkOrders(needs: CodeNeeds, usedKey: string): Promise<OrderFigures> {
  const { spent, production, sender, cast } = needs;
  const { w } = cast;
  const violations = withoutRow.map(
    (name) => `${name}: no request, and no reason why there is none`,
  );
  let pairs = 0;
  async function play(all: readonly Wrong[], by = sender): Promise<void> {
    pairs += all.length;
    await by.all(all, async (one) => {
      const fault = await faultOf(one, by).catch((error: Error) => error.message);
      if (fault !== null) violations.push(`${one.name}: ${fault}`);
    });
  }
  const means = { spentToken: spent?.token ?? '', usedKey };
  const general = await Promise.all(specifics.map((one) => withGeneral(one, needs, means)));
  await spent?.spend();
  const isTried = ({ told }: Wrong) => spent !== null || told.code !== 'rate_limited';
  await play(general.flat().filter(isTried));
  await play(await pairsOf('at once', needs));
  const flowed = specifics.filter(({ endpoint }) => endpoint.errors.includes('flow_not_enabled'));
  const off = await Promise.all(flowed.map((one) => withoutFlow(one, needs)));
  await w.settings(flowsAre(false));
  await play(off);
  await w.settings(flowsAre(true));
  if (production) await play(await pairsOf('production', needs), production.sender);
  const late = await pairsOf('late', needs);
  await w.settings({ refund_window_days: 1 });
  await w.advance(daySeconds + 60);
  await play(late);
  return { pairs, exempt: exemptPairs, violations };
}
