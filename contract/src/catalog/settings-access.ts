/** Who may change the settings. Beside their schemas, so that a menu can ask without loading those. */
export const editSettings = { module: 'users', needs: 'edit' } as const
