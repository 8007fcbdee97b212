import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import {
  documentVersionForm,
  type LegalText,
} from '@tenant-payments/contract/resources/documents.ts';
import { Failed } from '../../../../staff/api/call.ts';
import { useCall } from '../../../../staff/api/queries.ts';
import { useProven } from '../../../../staff/api/step_up.tsx';
import { withReason } from '../../../../staff/settings/worse_terms.tsx';

/** The typed values of a new version. */
export interface Draft extends Pick<LegalText, 'version' | 'title' | 'text'> {
  /** The reason why it must hold at once; empty: it waits for its day. */
  readonly reason: string;
}

/** The act of publishing, as a review move and as a request for a second person name it. */
export const publishing = (type: string, { reason, ...draft }: Draft) => ({
  resource: 'documents',
  id: type,
  move: 'publish',
  ...draft,
  ...withReason(reason),
});

/** Publishes at once. @param onDone is told how many customers are asked */
export function usePublish(type: string, onDone: (version: string, customers: number) => void) {
  const queries = useQueryClient();
  const ask = useCall();
  const proven = useProven();
  return useMutation({
    mutationFn: (draft: Draft) =>
      proven(() => ask('POST /portal/api/review/:resource/:id/:move', publishing(type, draft))),
    async onSuccess(reply, { version }) {
      for (const route of ['GET /portal/api/document-versions', 'GET /portal/api/legal-texts'])
        await queries.invalidateQueries({ queryKey: [route] });
      if ('customers' in reply) onDone(version, reply.customers);
    },
  });
}

const fields = ['version', 'title.en', 'title.es', 'text.en', 'text.es'];
const reasons = {
  format: 'Write a month or a day, such as 2026-02 or 2026-02-15.',
  empty: 'This is empty.',
  too_long: 'This is too long.',
} as const;

/** The service's fault of one field; null: the failure concerns no field. */
export function faultOf(error: Error | null): { field: string; text: string } | null {
  if (!(error instanceof Failed) || error.failure.kind !== 'refused') return null;
  const { param, reason } = error.failure;
  if (param === null || !fields.includes(param)) return null;
  const { latest } = error.details;
  const later = typeof latest === 'string' ? laterThan(latest) : null;
  return { field: param, text: later ?? ownValue(reasons, reason ?? '') ?? error.text };
}

export const laterThan = (latest: string): string => `This must be later than ${latest}.`;

const form = new RegExp(documentVersionForm);
/** Whether a version is written in full and is not later than the latest: nobody need be asked. */
export const isNotLater = (version: string, latest: string): boolean =>
  form.test(version) && version <= latest;
