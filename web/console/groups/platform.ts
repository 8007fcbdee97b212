/**
 * The pages of the running service and its staff, loaded all at once when the first of them is
 * opened.
 */

import '../shell/usual.ts';

export { Moved } from '../../staff/shell/moved.tsx';
export { Alarms } from '../pages/alarms.tsx';
export { AuditPage } from '../pages/audit.tsx';
export { Keys } from '../pages/keys.tsx';
export { OperationsPage } from '../pages/operations.tsx';
export { SingleSignOn } from '../pages/single_sign_on.tsx';
export { Staff } from '../pages/staff.tsx';
export { Palette } from '../shell/palette.tsx';
