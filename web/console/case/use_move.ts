import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CaseFile, DeskCase } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import type { InputOf, ReplyOf } from '../../staff/api/call.ts';
import { useCall } from '../../staff/api/queries.ts';
import { useProven } from '../../staff/api/step_up.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { moveName } from '../desk/words.ts';
import { centsOf } from './amount.ts';
import { changedMeanwhile, type Outcome } from './outcome.tsx';

export type Option = CaseFile['options'][number];
export type Preview = ReplyOf<'POST /portal/api/cases/:resource/:id/preview'>;
type Reviewed = ReplyOf<'POST /portal/api/review/:resource/:id/:move'>;
type Previewed = InputOf<'POST /portal/api/cases/:resource/:id/preview'>;
type Body = Pick<
  Previewed,
  | 'amount'
  | 'failure_code'
  | 'account_id'
  | 'asks'
  | 'finding'
  | 'handled_as'
  | 'customer_bears'
  | 'learned_on'
  | 'shown_on'
>;

/** The subject of a move: a case, or another record of a Tenant. */
export interface Subject {
  readonly tenant_id: string;
  /** The resource as in the path of a review move. */
  readonly resource: string;
  readonly id: string;
  readonly record?: DeskCase['record'];
  readonly customer_id?: string | null;
}

/** The values as they are typed. */
export interface Fields {
  readonly amount: string;
  readonly failure_code: string;
  readonly finding: string;
  /** The documents that are asked for; none: the answers are asked for again. */
  readonly asks: NonNullable<Body['asks']>;
  readonly handled_as: Body['handled_as'] | '';
  readonly customer_bears: string;
  readonly learned_on: string;
  readonly shown_on: string;
  readonly account_id: string;
  readonly note: string;
}

/** The body of the move's request; null: a field is missing or cannot be read. */
export function bodyOf({ move, required }: Option, fields: Fields): Body | null {
  const amount = centsOf(fields.amount, move === 'adjust');
  if (fields.amount !== '' && amount === null) return null;
  const customer_bears = centsOf(fields.customer_bears, false);
  if (fields.customer_bears !== '' && customer_bears === null) return null;
  const body = {
    ...(amount !== null && { amount }),
    ...(fields.asks.length > 0 && { asks: fields.asks }),
    ...(fields.failure_code !== '' && { failure_code: fields.failure_code }),
    ...(fields.finding.trim() !== '' && { finding: fields.finding.trim() }),
    ...(fields.handled_as && { handled_as: fields.handled_as }),
    ...(customer_bears !== null && { customer_bears }),
    ...(fields.learned_on !== '' && { learned_on: fields.learned_on }),
    ...(fields.shown_on !== '' && { shown_on: fields.shown_on }),
    ...(fields.account_id !== '' && { account_id: fields.account_id }),
  };
  return required.every((name) => name === 'note' || name in body) ? body : null;
}

/** Previews the effect of the move with the typed values, once the typing pauses. */
export function usePreview({ tenant_id, resource, id }: Subject, move: string, body: Body | null) {
  const ask = useCall();
  const typed = JSON.stringify(body);
  const [asked] = useDebouncedValue(typed, 300);
  const query = useQuery({
    queryKey: ['preview', tenant_id, resource, id, move, asked],
    queryFn: () =>
      ask('POST /portal/api/cases/:resource/:id/preview', {
        ...(JSON.parse(asked) as Body),
        resource,
        id,
        move,
      }),
    enabled: body !== null && asked === typed,
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = body !== null && asked === typed && !query.isFetching;
  return { ...query, preview: isCurrent ? (query.data ?? null) : null };
}

function statusOf(record: Reviewed): string | null {
  if ('verification' in record) return record.verification.status;
  if ('verification_status' in record) return record.verification_status;
  return 'status' in record ? record.status : null;
}

function done(move: string, record: Reviewed, { effect }: Preview): Outcome {
  const status = statusOf(record);
  const text = status === null ? 'It is done.' : `The status is now: ${inWords(status)}.`;
  return { isDone: true, title: `Done: ${moveName(move)}`, text, effect };
}

const asked = (tenantId: string, id: string): Outcome => ({
  isDone: true,
  title: 'Approval is asked for',
  text: 'Nothing has changed yet. A second person decides about it in the desk.',
  effect: null,
  request: { tenantId, id },
});

/** Makes the move, or asks a second person for it. Afterwards all is read anew. */
export function useDecide(
  { tenant_id, resource, id }: Subject,
  move: string,
  onEnd: (outcome: Outcome) => void,
) {
  const queries = useQueryClient();
  const ask = useCall();
  const proven = useProven();
  return useMutation({
    async mutationFn({ body, note, preview }: Decided): Promise<Outcome> {
      const noted = { ...body, ...(note !== '' && { note }) };
      if (!preview.needs_approval) {
        const input = { ...noted, resource, id, move };
        const record = await proven(() =>
          ask('POST /portal/api/review/:resource/:id/:move', input),
        );
        return done(move, record, preview);
      }
      const wanted = { ...body, resource, id, move, note };
      const made = await proven(() => ask('POST /portal/api/approvals', wanted));
      return asked(tenant_id, made.id);
    },
    onSuccess: onEnd,
    onError(error) {
      const outcome = changedMeanwhile(error);
      if (outcome) onEnd(outcome);
    },
    onSettled: () => queries.invalidateQueries(),
  });
}

interface Decided {
  readonly body: Body;
  readonly note: string;
  readonly preview: Preview;
}
