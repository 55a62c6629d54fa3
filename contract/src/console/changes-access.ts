/** Who may read the feed of changes. Beside its schemas, so that a menu can ask without loading those. */
export const readChanges = {
  module: ['schedule', 'clients', 'trucks', 'pop', 'users', 'payroll'],
  needs: 'view',
  reach: 'all',
} as const
