import type { ReportOccasion } from '@roadshow/contract/proof/campaign-mails'
import { expect, test } from 'vitest'
import { mergeRecipients } from './mergeRecipients.ts'

const row = (email: string, ...occasions: ReportOccasion[]) => ({
  email,
  occasions: occasions.length > 0 ? occasions : ['weekly' as const],
})
const [a, b, x, y, blank] = [row('a@x.co'), row('b@x.co'), row('x@x.co'), row('y@x.co'), row('')]

test.each([
  ['takes their list if nothing was edited', [a, b], [a, b], [a, x], [a, x]],
  ['adds rows of both', [a], [a, y], [a, x], [a, x, y]],
  ['keeps rows without an address yet', [a], [a, blank, blank], [a, x], [a, x, blank, blank]],
  [
    'names an address once that both added, as it is here',
    [a],
    [a, row('X@x.co', 'end')],
    [a, x],
    [a, row('X@x.co', 'end')],
  ],
  ['removes a row that was removed here', [a, b], [b], [row('a@x.co', 'end'), b], [b]],
  ['removes a row that they removed', [a, b], [a, b, y], [b], [b, y]],
  ['keeps a row that they removed and that was changed here', [a], [row('a@x.co', 'end')], [], [row('a@x.co', 'end')]],
  [
    'takes their change of a row that is unchanged here',
    [a],
    [a, y],
    [row('a@x.co', 'end')],
    [row('a@x.co', 'end'), y],
  ],
  ['keeps the change of a row here', [a], [row('a@x.co', 'end')], [a, x], [row('a@x.co', 'end'), x]],
  ['replaces an address that was corrected here', [a, b], [y, b], [a, b, x], [b, x, y]],
])('%s', (_, before, mine, newest, merged) => {
  expect(mergeRecipients(before, mine, newest)).toEqual(merged)
})
