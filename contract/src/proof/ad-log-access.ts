/** Who may read the ad log. Beside its schemas, so that a screen can ask without loading those. */
export const readAdLog = { module: 'overview', needs: 'view' } as const
