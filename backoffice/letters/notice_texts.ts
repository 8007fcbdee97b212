import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { SettingsRow } from '@tenant-payments/engine/settings.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { FileLanguage } from '@tenant-payments/service/http/files/downloads.ts';
import type { Block, Content } from '@tenant-payments/service/rails/mail/content.ts';
import { wordMessage } from '@tenant-payments/service/resources/customers/messages/texts.ts';
import { brandOfTenant } from '@tenant-payments/service/resources/customers/messages/worded.ts';
import type { NoticeTexts } from '@tenant-payments/service/resources/customers/notices/port.ts';
import type { LetterMoment } from '@tenant-payments/service/resources/disputes/letters.ts';
import { easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { TermChangeRow } from '@tenant-payments/service/resources/terms/table.ts';
import { ofDocument, termNotice } from '@tenant-payments/service/resources/terms/tell.ts';
import type pg from 'pg';
import { letterKinds } from '../contract/operate/dispute_letters.ts';
import { type Letter, letterOf } from './content.ts';
import { dueOf } from './due.ts';
import { readLetterFacts } from './facts.ts';

/** The letters that can be written at each moment: one of them is due. */
const moments = {
  receipt: ['late_notice', 'reasserted'],
  credit: ['provisional_credit'],
  result: ['correction', 'result', 'denial'],
} as const satisfies Record<LetterMoment, readonly string[]>;

interface NewDocument {
  readonly effective_at: Instant;
  readonly created_at: Instant;
  readonly title_en: string;
  readonly title_es: string;
}

const text = (words: string): Block => ({ kind: 'text', text: words });

/** A letter as a mail says it. */
function contentOf({ title, customer, lead, subject, sections, closing, words }: Letter): Content {
  const blocks: readonly Block[] = [
    text(words.dear(customer)),
    text(lead),
    { kind: 'heading', text: words.subject.heading },
    { kind: 'rows', rows: subject },
    ...sections.flatMap(({ heading, paragraphs }): Block[] => [
      { kind: 'heading', text: heading },
      ...paragraphs.map(text),
    ]),
    ...closing.map(text),
  ];
  return { subject: title, blocks };
}

/** A new version of a document, and from when on it holds for its reader (rules/documents#36). */
async function documentNotice(pool: pg.Pool, tenantId: string, id: string, when: Instant) {
  const { rows } = await pool.query<SettingsRow & NewDocument>(
    `select d.effective_at, d.created_at, l.title_en, l.title_es, t.name, t.settings
     from documents d join tenants t on t.tenant_id = $1
     join legal_texts l on l.tenant_id = $1 and l.document_type = d.document_type
       and l.document_version = d.document_version
     where d.tenant_id = $1 and d.id = $2`,
    [tenantId, id],
  );
  const [of] = rows;
  if (!of) return null;
  return wordMessage(of.effective_at > of.created_at ? 'document_change' : 'document_secured', {
    tenant: brandOfTenant(tenantId, of).name,
    when,
    until: of.effective_at,
    terms: of.title_en,
    condiciones: of.title_es,
  });
}

/** The words of notices, made of their records when they are sent (rules/messages#10). */
export const noticeTexts: NoticeTexts = {
  async dispute_letter(source, tenantId, { source_id, detail, created_at }) {
    const facts = await readLetterFacts(source, tenantId, source_id);
    const ofMoment: readonly string[] = ownValue(moments, detail ?? '') ?? [];
    const kind = letterKinds.find(
      (one) => facts && ofMoment.includes(one) && dueOf(facts, one).reason === null,
    );
    if (!facts || !kind) return null;
    const due = dueOf(facts, kind);
    if (due.reason !== null) return null;
    const isFixed = due.dating === 'fixed';
    const day = isFixed ? easternDay(created_at) : due.day;
    const inLanguage = (language: FileLanguage) => contentOf(letterOf(facts, kind, day, language));
    return { en: inLanguage('en'), es: inLanguage('es'), ...(!isFixed && { day }) };
  },

  async statement_ready({ pool }, tenantId, { source_id, created_at: when }) {
    const { rows } = await pool.query<SettingsRow & { from: string; to: string }>(
      `select s.period_start as "from", s.period_end as "to", t.name, t.settings
       from statements s join tenants t on t.tenant_id = $1 where s.tenant_id = $1 and s.id = $2`,
      [tenantId, source_id],
    );
    const [of] = rows;
    if (!of) return null;
    const tenant = brandOfTenant(tenantId, of).name;
    return wordMessage('statement_ready', {
      tenant,
      when,
      from: of.from,
      to: of.to,
    });
  },

  async terms_changed({ pool }, tenantId, { source_id, detail, created_at: when }) {
    if (detail === ofDocument) return documentNotice(pool, tenantId, source_id, when);
    const { rows } = await pool.query<SettingsRow & Pick<TermChangeRow, 'pieces' | 'effective_at'>>(
      `select c.pieces, c.effective_at, t.name, t.settings
       from term_changes c join tenants t on t.tenant_id = $1 where c.tenant_id = $1 and c.id = $2`,
      [tenantId, source_id],
    );
    const [of] = rows;
    if (!of) return null;
    const { en, es } = termNotice(tenantId, of);
    const tenant = brandOfTenant(tenantId, of).name;
    return wordMessage('terms_change', {
      tenant,
      when,
      until: of.effective_at,
      terms: en,
      condiciones: es,
    });
  },
};
