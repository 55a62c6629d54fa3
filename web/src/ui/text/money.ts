/** An amount of cents as people read it: `$1,234.50`, `−$20.00`. */
export const formatDollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }).replace('-', '−')
