/** Who sets the company up. Beside the schemas, so that a menu can ask without loading those. */
export const editSetup = { module: 'users', needs: 'edit' } as const
