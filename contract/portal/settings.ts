import Type from 'typebox';
import { Closed, Text } from '../core/schema.ts';
import { Settings } from '../core/settings.ts';
import { portalEndpoint } from './endpoint.ts';

/** The settings of a tenant (surfaces, Portal JSON). */

/** A name is stored and shown to customers, so it keeps to what PostgreSQL can hold. */
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
  summary: 'The settings of the tenant',
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: Settings },
  errors: [],
});

/** Fees, limits and rates are the operator's to set, so all of it is. */
export const putSettings = portalEndpoint({
  id: 'putSettings',
  method: 'PUT',
  path: '/portal/api/settings',
  summary: 'Replace the top-level settings that are given, each as a whole',
  idempotent: 'none',
  role: 'operator',
  body: SettingsChanges,
  success: { status: 200, schema: Settings },
  errors: ['parameter_invalid'],
});
