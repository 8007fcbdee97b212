/** The Tenant's settings: many fields, loaded when they are opened. */

export { SettingsPage } from '../pages/settings.tsx';
