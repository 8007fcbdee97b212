/** The pages of developers, loaded all at once when the first of them is opened. */

import '../../staff/usual.ts';

export { Credentials } from '../pages/credentials.tsx';
export { Deliveries } from '../pages/deliveries.tsx';
export { EventTypes } from '../pages/event_types.tsx';
export { Events } from '../pages/events.tsx';
export { Requests } from '../pages/requests.tsx';
export { Sandbox } from '../pages/sandbox.tsx';
export { Webhooks } from '../pages/webhooks.tsx';
