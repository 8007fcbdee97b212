import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint, StepUpBy } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { stepUpTables } from '@tenant-payments/backoffice/contract/step_up.ts';
import { settingOwners } from '../../core/setting_facts.ts';
import { PortalErrorEnvelope } from '../../resources/errors.ts';
import { portalExamples } from '../examples/portal.ts';
import { clientCredentials, contact, license, tags } from './openapi.ts';
import { components, paths } from './operations.ts';
import { tagDescriptions, tagOf } from './portal_tags.ts';
import { type Json, schemaJson } from './schemas.ts';

const general = `The JSON behind the developer portal.

- Errors, lists, amounts and times are as in the Tenant API.
- In the sandbox the Tenant's access token opens all of it, with every role, so that a program needs
  no browser. In production it opens nothing here: a person signs in, or a program has an API key.
- \`x-may\` are the least roles that may call the operation. admin includes reviewer and support,
  reviewer support; owner includes developer, finance and reader, and these two include reader.
- \`x-step-up\`: it wants a passkey, or a sign-in at the provider, of the last five minutes.
  Of a setting or a reviewer's move: the table by which it does; a list names the fields whose change does.
  Of a list the formats that do, for whoever sees its personal data.
  \`consent\`: a passkey of the caller signs the request, by the options of its \`/consent\`; who has none signs in anew.
- \`x-personal\`: the field of the reply that holds personal data. developer, finance and reviewer see it,
  and who includes them; others read \`[redacted]\` there.
- \`x-owners\` of \`putSettings\`: who sets each key, the platform (admin) or the Tenant (owner, developer);
  of \`fees\` each rule by its type. A key of somebody else is \`forbidden\`, with \`details.owner\`.
- A browser keeps a person's session in a cookie. Each write by cookie must come from this origin.
- Staff name the Tenant that they act on in the header \`Tenant-Id\`.
- A window names the scope that it shows in the header \`Session-Scope\`: a session that acts elsewhere by then is
  refused (\`acts_elsewhere\`).
- A list gives the newest first; its cursor holds for the same list, filters and Tenant.`;

const stepUpOf = (by: StepUpBy): string | object =>
  by === 'by_consent' ? 'consent' : stepUpTables[by];

const beside = ({ id, key, may, stepUp, personal }: PortalEndpoint): Json => ({
  ...(key === undefined ? {} : { security: [{ operatorKey: [] }, { session: [] }] }),
  'x-may': may,
  ...(stepUp ? { 'x-step-up': stepUp === true || stepUpOf(stepUp) } : {}),
  ...(personal === undefined ? {} : { 'x-personal': personal }),
  ...(id === 'putSettings' ? { 'x-owners': settingOwners } : {}),
});

/**
 * The portal's JSON as OpenAPI 3.1 (rules/operations#30), made from the endpoints that the service
 * runs.
 */
export function portalDocument({ baseUrl }: { readonly baseUrl: string }): Json {
  const operations = {
    paths: paths<PortalEndpoint>({
      endpoints: portalEndpoints,
      tagOf,
      beside,
      examples: portalExamples,
    }),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portal JSON',
      version: '1.1',
      description: general,
      contact: contact(baseUrl),
      license,
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: ['tenant'] }, { apiKey: [] }, { session: [] }],
    tags: tags(tagDescriptions),
    ...operations,
    components: {
      securitySchemes: {
        oauth2: clientCredentials(baseUrl),
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key `tpk_…` of a member or of the staff.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-tp',
          description: 'Set by sign-in; `tp` in a sandbox on plain http.',
        },
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key in `DATA_DIR/operator.key`, which never leaves its machine.',
        },
      },
      ...components(operations, {
        schemas: { ErrorEnvelope: schemaJson(PortalErrorEnvelope, 'reply') },
      }),
    },
  };
}
