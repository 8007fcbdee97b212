/** The Tenant's settings: many fields, loaded when they are opened. */

import '../../staff/usual.ts';

export { SettingsPage } from '../pages/settings.tsx';
