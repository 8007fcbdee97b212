/** Records whose faces one call gives at most (rules/portal-records#11). */
export const maximumFaces = 50;
