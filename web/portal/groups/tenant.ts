/** The Tenant's settings and people, loaded at once when the first of them is opened. */

export { ApiKeys } from '../pages/api_keys.tsx';
export { SettingsPage } from '../pages/settings.tsx';
export { States } from '../pages/states.tsx';
export { Team } from '../pages/team.tsx';
