import { expect, test } from 'vitest'
import { runSoak } from './run.ts'

test('nothing that was promised is lost while a node and the database are killed under load', async () => {
  const { figures, problems } = await runSoak({
    totalMs: 12e3,
    killEveryMs: 5e3,
    trucks: 10,
    speed: 10,
    people: 6,
    say: () => {},
  })
  expect(problems).toEqual([])
  expect(figures.filter(({ met }) => met === false)).toEqual([])
  // It was a load, and there was trouble.
  const [of, killed] = [(name: string) => figures.find((figure) => figure.name === name)?.ours ?? '', /^[1-9]\d*, 2$/]
  expect(of('Nodes killed, restarts of the database')).toMatch(killed)
  expect(of('Plays promised and lost')).toMatch(/^0 of \d{2,}$/)
}, 180_000)
