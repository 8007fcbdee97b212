/** The Tenant's people and states, loaded at once when the first of them is opened. */

import '../../staff/usual.ts';

export { Moved } from '../../staff/shell/moved.tsx';
export { ApiKeys } from '../pages/api_keys.tsx';
export { States } from '../pages/states.tsx';
export { Team } from '../pages/team.tsx';
