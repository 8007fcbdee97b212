/** Facts of the deployment, as the service writes them into the page. */
const facts = document.documentElement.dataset;

/** Whether the service behind the page is a sandbox. */
export const isSandbox = facts.environment === 'sandbox';

/**
 * The address at which programs call the API; the page itself may be at another host
 * (rules/security#24).
 */
export const apiUrl = facts.api ?? location.origin;

/** Whether the documentation is served (rules/docs-site#11). */
export const hasDocs = facts.docs === 'on';
