import { execFile } from 'node:child_process'
import { testProgram } from '@roadshow/test-kit/nodes'
import { expect, test } from 'vitest'

test('errors that nothing catches end no process if they are of jobs, the simulator or the demo, and are logged by name', async () => {
  const [code, output] = await new Promise<[unknown, string]>((resolve) =>
    execFile(process.execPath, [testProgram('test-stray-errors')], (error, stdout) => resolve([error?.code, stdout])),
  )
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string; job?: string; err?: { message: string } })
  expect(lines.map(({ level, job, msg, err }) => [level, job, err?.message ?? msg])).toEqual([
    [50, 'one of these: sweep', 'of a job'],
    [50, 'simulator', 'in a timer'],
    [50, 'simulator', 'in a promise'],
    [30, undefined, 'Still here.'],
    [60, undefined, 'of no work'],
  ])
  expect(code).toBe(1)
})
