import {
  type DocumentContentType,
  documentLimits,
  type IdentityDocumentKind,
} from '@tenant-payments/contract/core/identity_documents.ts';
import type { IdentityDocumentGiven } from '@tenant-payments/contract/hosted/identity_documents.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail, unavailable } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Sealer } from '@tenant-payments/engine/vault.ts';
import { imagesAreBusy, reencodedApart } from '../../../identity/documents/images.ts';
import { sealContent } from '../../../identity/documents/seal.ts';
import { sniffed } from '../../../identity/documents/sniff.ts';
import { assertMayOnboard } from '../../../resources/customers/onboarding.ts';
import { customers } from '../../../resources/customers/table.ts';
import {
  assertRoom,
  keepDocument,
  loadDocuments,
  type NewDocument,
} from '../../../resources/identity/documents.ts';
import type { Service } from '../../../service.ts';
import type { PageCaller } from '../caller.ts';
import { assertCode } from '../codes.ts';
import { openHourlyLimit } from '../hourly_limit.ts';
import { assertOpen, loadOpenedSession, type OfSession } from '../session.ts';

const bad = (reason: string) =>
  fail('parameter_invalid', {
    param: 'file',
    details: { reason, ...(reason === 'too_large' && { maximum: documentLimits.bytes }) },
  });

async function load(read: Read, input: OfSession) {
  const opened = await loadOpenedSession(read, input);
  const { customer_id } = opened.session;
  const [customer, rows] = await Promise.all([
    read.one(customers, customer_id),
    loadDocuments(read, customer_id),
  ]);
  return { opened, customer, rows };
}
type Loaded = Awaited<ReturnType<typeof load>>;

/** @throws ApiError invalid_state */
const assertMayGive = (
  work: Parameters<typeof assertOpen>[0],
  { opened, customer, rows }: Loaded,
): void => {
  assertOpen(work, opened.session, ['onboarding']);
  assertCode(opened, customer);
  assertMayOnboard(work, customer);
  assertRoom(customer, rows);
};

/** Before anything is read of the file: a page that has proven no code gives nothing. */
const mayGive = command('may_give_document', {
  load: (read, input: OfSession) => load(read, input),
  decide: (work, loaded) => {
    assertMayGive(work, loaded);
    return { value: null };
  },
});

const giveDocument = command('give_document', {
  load: (read, input: OfSession & { readonly document: NewDocument }) => load(read, input),
  decide: (work, loaded, { document }) => {
    assertMayGive(work, loaded);
    keepDocument(work, document);
    return { value: null };
  },
});

/** The file as it is kept. @throws ApiError parameter_invalid {reason: not_supported, damaged, too_large} */
export async function keptFile(
  given: Buffer,
): Promise<{ type: DocumentContentType; file: Buffer }> {
  if (given.length > documentLimits.bytes) throw bad('too_large');
  const type = sniffed(given);
  if (type === null) throw bad('not_supported');
  if (type === 'application/pdf') return { type, file: given };
  if (imagesAreBusy()) throw unavailable('too many images are being read; come again');
  const file = await reencodedApart(given, type);
  if (file === null) throw bad('damaged');
  return { type, file };
}

interface Given {
  readonly tenantId: string;
  readonly record_id: string;
  readonly customer_id: string;
}

/** A file as the vault keeps it: under a key of its own. */
export function newDocument(
  sealer: Sealer,
  id: string,
  { tenantId, ...of }: Given,
  kind: IdentityDocumentKind,
  { type, file }: Awaited<ReturnType<typeof keptFile>>,
): NewDocument {
  const sealed = sealContent(sealer, tenantId, id, file);
  return { ...sealed, ...of, id, kind, content_type: type, bytes: file.length };
}

/** Takes a document for the identity check of a page's customer (rules/identity#13). */
export function openGivenDocuments({ engine }: Pick<Service, 'engine'>, sealer: Sealer) {
  const count = openHourlyLimit(30, 'documents');
  return async (caller: PageCaller, { kind, file: sent }: IdentityDocumentGiven) => {
    const { tenantId, sessionId, customerId, newId } = caller;
    await engine.submit(mayGive, { tenantId, input: { sessionId } });
    await count(customerId);
    const given = await keptFile(Buffer.from(sent, 'base64'));
    const of = { tenantId, record_id: customerId, customer_id: customerId };
    const document = newDocument(sealer, newId(), of, kind, given);
    await engine.submit(giveDocument, { tenantId, input: { sessionId, document } });
  };
}
