import { isDeepStrictEqual } from 'node:util';
import { Closed, OneOf } from '@tenant-payments/contract/core/schema.ts';
import {
  type DocumentType,
  documentTypes,
  LegalText,
} from '@tenant-payments/contract/resources/documents.ts';
import Type from 'typebox';
import { reviewAct } from '../../backoffice/audit/acts.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { listDocumentVersions } from '../../service/resources/customers/documents/progress.ts';
import {
  type NewVersion,
  publicationRefusal,
  publishForAll,
} from '../../service/resources/customers/documents/publication.ts';
import { listLegalTexts } from '../../service/resources/customers/documents/read.ts';
import type { Deployment } from './deployment.ts';
import { submitted } from './submit.ts';
import { type OfTenant, openTenant } from './tenant.ts';

const { version, title, text } = LegalText.properties;

const NewVersions = Closed({
  documents: Type.Array(Closed({ document_type: OneOf(documentTypes), version, title, text }), {
    minItems: 1,
    maxItems: documentTypes.length,
  }),
});

interface Publication extends OfTenant {
  /** The documents as given: they are held against the schema here. */
  readonly documents: unknown;
}

/** The versions in force with their texts. */
async function inForce(deployment: Deployment, given: OfTenant) {
  const { context } = await openTenant(deployment, given);
  const [{ data: versions }, { data: texts }] = await Promise.all([
    listDocumentVersions(context),
    listLegalTexts(context, {}),
  ]);
  return versions.flatMap((one) =>
    texts
      .filter((of) => of.document_type === one.document_type && of.version === one.version)
      .map((of) => ({ ...one, title: of.title, text: of.text })),
  );
}

const isSame = (given: NewVersion, known: NewVersion | undefined): boolean =>
  known !== undefined &&
  given.version === known.version &&
  isDeepStrictEqual([given.title, given.text], [known.title, known.text]);

/** The documents of a Tenant, as a file of them is written and read (rules/documents#27). */
export const operations = {
  /** The versions in force, and what production would refuse of them. */
  async show(deployment: Deployment, given: OfTenant) {
    const documents = (await inForce(deployment, given)).map(
      ({ document_type, version: named, sample, lacks, title: called, text: said }) => ({
        document_type,
        version: named,
        sample,
        lacks,
        title: called,
        text: said,
      }),
    );
    return { documents };
  },

  /**
   * Publishes those that are not in force yet, so that a file whose publication was ended half way can be given again.
   * Nothing is published where one of them is refused. Whoever has the deployment's settings needs nobody else
   * (rules/approvals#12).
   */
  async publish(deployment: Deployment, { tenant, documents }: Publication) {
    assertShape(NewVersions, { documents });
    const { db, environment } = await deployment.parts();
    const known = await inForce(deployment, { tenant });
    const knownOf = ({ document_type }: NewVersion) =>
      known.find((one) => one.document_type === document_type);
    const given = documents as NewVersion[];
    // Production refuses a sample, also the one that it has.
    const isDone = (one: NewVersion) =>
      isSame(one, knownOf(one)) && !(environment === 'production' && knownOf(one)?.sample);
    const fresh = given.filter((one) => !isDone(one));
    const refused = fresh.find((one) => {
      const found = knownOf(one);
      return found && publicationRefusal(one, found, environment);
    });
    const published: { document_type: DocumentType; version: string; customers: number }[] = [];
    // The command refuses that one alone, as a row of the audit.
    for (const one of refused ? [refused] : fresh) {
      const facts = { fields: [one.document_type] };
      const told = {
        act: reviewAct('documents', 'publish'),
        event: 'review_moved',
        facts,
      } as const;
      const command = publishForAll({ db }, environment);
      published.push(await submitted(deployment, tenant, told, command, one));
    }
    const already = given
      .filter((one) => !fresh.includes(one))
      .map(({ document_type, version: named }) => ({ document_type, version: named }));
    return { published, already };
  },
};
