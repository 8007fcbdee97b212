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

/** The documents of a Tenant, as a file of them is written and read (rules/documents#27). */
export const operations = {
  /** The versions in force, and what production would refuse of them. */
  async show(deployment: Deployment, given: OfTenant) {
    const { context } = await openTenant(deployment, given);
    const [{ data: inForce }, { data: texts }] = await Promise.all([
      listDocumentVersions(context),
      listLegalTexts(context, {}),
    ]);
    const documents = inForce.flatMap(({ document_type, version: named, sample, lacks }) =>
      texts
        .filter((one) => one.document_type === document_type && one.version === named)
        .map((one) => ({
          document_type,
          version: named,
          sample,
          lacks,
          title: one.title,
          text: one.text,
        })),
    );
    return { documents };
  },

  /** Whoever has the deployment's settings needs nobody else (rules/approvals#12). */
  async publish(deployment: Deployment, { tenant, documents }: Publication) {
    assertShape(NewVersions, { documents });
    const { db, environment } = await deployment.parts();
    const published: { document_type: DocumentType; version: string; customers: number }[] = [];
    for (const one of documents as NewVersion[]) {
      const facts = { fields: [one.document_type] };
      const told = {
        act: reviewAct('documents', 'publish'),
        event: 'review_moved',
        facts,
      } as const;
      const command = publishForAll({ db }, environment);
      published.push(await submitted(deployment, tenant, told, command, one));
    }
    return { published };
  },
};
