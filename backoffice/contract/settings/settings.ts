import { Closed, Readable } from '@tenant-payments/contract/core/schema.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The settings of a Tenant (rules/operations#26). */

/** Stored and shown to customers: no characters that PostgreSQL cannot store. */
const Branding = Closed({ ...Settings.properties.branding.properties, name: Readable(100) });

export const SettingsChanges = Type.Partial(
  Closed({ ...Settings.properties, branding: Branding }),
  {
    additionalProperties: false,
  },
);

/** A change with the reason of security for which worse terms hold at once (rules/documents#28). */
export const AskedSettings = Closed({
  ...SettingsChanges.properties,
  security_reason: Type.Optional(
    Readable(
      500,
      'Why terms that get worse for consumers must hold at once, to keep an account or the system secure',
    ),
  ),
});
export type AskedSettings = Static<typeof AskedSettings>;

export const getSettings = portalEndpoint({
  id: 'getSettings',
  method: 'GET',
  path: '/portal/api/settings',
  summary: "Get the Tenant's settings",
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  success: { status: 200, schema: Settings },
  errors: [],
});

/**
 * A key of somebody else is refused: `settingOwners` says whose each is (rules/operations#49). So is a
 * change that needs a second person, with the values that do (rules/approvals#11).
 */
export const putSettings = portalEndpoint({
  id: 'putSettings',
  method: 'PUT',
  path: '/portal/api/settings',
  summary: 'Replace each given top-level setting as a whole',
  idempotent: 'none',
  may: ['owner', 'developer', 'admin'],
  of: 'tenant',
  stepUp: 'by_setting',
  body: AskedSettings,
  success: { status: 200, schema: Settings },
  errors: ['parameter_invalid', 'invalid_state'],
});
