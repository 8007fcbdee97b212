import Type from 'typebox';
import { Closed, Text } from '../core/schema.ts';
import { Settings } from '../core/settings.ts';
import { portalEndpoint } from './endpoint.ts';

/** The settings of a Tenant (rules/operations#26). */

/** Stored and shown to customers: no characters that PostgreSQL cannot store. */
const Branding = Closed({ ...Settings.properties.branding.properties, name: Text(100) });

export const SettingsChanges = Type.Partial(
  Closed({ ...Settings.properties, branding: Branding }),
  {
    additionalProperties: false,
  },
);

export const getSettings = portalEndpoint({
  id: 'getSettings',
  method: 'GET',
  path: '/portal/api/settings',
  summary: "Get the Tenant's settings",
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: Settings },
  errors: [],
});

/** Only an operator sets fees, limits and rates, so only an operator replaces settings. */
export const putSettings = portalEndpoint({
  id: 'putSettings',
  method: 'PUT',
  path: '/portal/api/settings',
  summary: 'Replace each given top-level setting as a whole',
  idempotent: 'none',
  role: 'operator',
  body: SettingsChanges,
  success: { status: 200, schema: Settings },
  errors: ['parameter_invalid'],
});
