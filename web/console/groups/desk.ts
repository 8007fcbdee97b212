/** The pages of decisions, loaded all at once when the first of them is opened. */

import '../shell/usual.ts';

export { Desk } from '../pages/desk.tsx';
export { Disputes } from '../pages/disputes.tsx';
export { RailMessages } from '../pages/rail_messages.tsx';
export { Requests } from '../pages/requests.tsx';
