import type { ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { readerOf } from '@tenant-payments/service/http/files/access.ts';
import type { DownloadLinks } from '@tenant-payments/service/http/files/download_links.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  type getDisputeLetter as contract,
  type DisputeLetter,
  type LetterKind,
  letterKinds,
} from '../contract/operate/dispute_letters.ts';
import { dueOf } from './due.ts';
import { type LetterFacts, readLetterFacts } from './facts.ts';
import { english } from './words/en.ts';

type Input = ParamsOf<typeof contract>;

/** The letters of a dispute, each with a fresh address (rules/disputes#45). */
export function disputeLetters(service: Pick<Service, 'pool' | 'clocks'>, links: DownloadLinks) {
  /** @throws ApiError not_found */
  async function factsOf(tenantId: string, id: string): Promise<LetterFacts> {
    const facts = await readLetterFacts(service, tenantId, uuidOf('dispute', id));
    if (!facts) throw fail('not_found');
    return facts;
  }

  function letter(
    { tenantId, actor }: ReadContext,
    facts: LetterFacts,
    kind: LetterKind,
  ): DisputeLetter {
    const due = dueOf(facts, kind);
    const { day: date, reason } = due;
    const of = { kind, title: english.titles[kind], available: reason === null, reason, date };
    if (due.reason !== null)
      return { ...of, give_today: false, download_url: null, download_url_expires_at: null };
    const { url, expiresAt } = links.to(
      { kind: `letter_${kind}`, tenantId, record: facts.dispute.id, reader: readerOf(actor) },
      links.expiryMs(lifetimes.letterAddress),
    );
    const give_today = due.dating === 'today';
    return { ...of, give_today, download_url: url, download_url_expires_at: expiresAt };
  }

  return {
    /** GET /portal/api/disputes/{id}/letters @throws ApiError not_found */
    async list(context: ReadContext, { id }: Pick<Input, 'id'>): Promise<Page<DisputeLetter>> {
      const facts = await factsOf(context.tenantId, id);
      return wholeList(letterKinds.map((kind) => letter(context, facts, kind)));
    },

    /**
     * GET /portal/api/disputes/{id}/letters/{kind}
     * @throws ApiError not_found, also {param: kind}; invalid_state with the reason
     */
    async get(context: ReadContext, { id, kind: name }: Input): Promise<DisputeLetter> {
      const facts = await factsOf(context.tenantId, id);
      const kind = letterKinds.find((one) => one === name);
      if (!kind) throw fail('not_found', { param: 'kind' });
      const found = letter(context, facts, kind);
      if (found.reason === null) return found;
      const { status } = facts.dispute;
      throw fail('invalid_state', {
        details: { current_status: status, allowed: [], reason: found.reason },
      });
    },
  };
}
