// Beside the schemas of shifts, so that a screen can ask without loading those.

/** Who may look at shifts. */
export const viewShifts = { module: ['schedule', 'clients'], needs: 'view' } as const
/** Who may change the plan: not a driver, not even their own shifts. */
export const planAccess = { module: ['schedule', 'clients'], needs: 'edit', reach: 'all' } as const
