// HiGHS runs in a thread of its own, because it blocks while it searches. The file is JavaScript, so that Node starts it
// from the sources (tests) as from `dist`; its types are checked.
import { parentPort } from 'node:worker_threads'
import highsModule from 'highs'

/** @typedef {import('./solver-thread.ts').SolverQuestion} Question */
/** @typedef {import('./solver-thread.ts').SolverAnswer} Answer */

// The types of the package describe its CommonJS form; Node loads the other one, whose default is the loader.
const loadHighs = /** @type {typeof import('highs').default} */ (/** @type {unknown} */ (highsModule))

// Steps of its presolve by their numbers: forcing rows, the aggregator, and parallel rows and columns. Together they take
// some models for infeasible that are not.
const PRESOLVE_RULES_OFF = [6, 12, 13].reduce((rules, rule) => rules | (1 << rule), 0)

/** @type {ReturnType<typeof loadHighs> | undefined} */
let highs

/**
 * @param {Question} question
 * @returns {Promise<Omit<Answer, 'id'>>}
 */
async function solve({ program, text, names, seconds, gap, start }) {
  highs ??= loadHighs({ wasmModule: program })
  const solver = await highs
  return solver.withModel({ format: 'lp', data: text }, (model) => {
    const options = { output_flag: false, time_limit: seconds, mip_rel_gap: gap, presolve_rule_off: PRESOLVE_RULES_OFF }
    // All costs are whole numbers, so a gap below 1 is none.
    model.options.set({ ...options, mip_abs_gap: 0.9 })
    const indices = names.map((name) => model.getColByName(name))
    if (start.length > 0) model.setSolution({ indices, values: start })
    model.run()
    const { optimal, timeLimit } = solver.constants.modelStatus
    const status = model.getModelStatus()
    const { colValue } = model.getSolution()
    /** @type {[string, number][]} */
    const values = names.flatMap((name, at) => {
      const value = colValue[indices[at] ?? -1] ?? 0
      return value === 0 ? [] : [[name, value]]
    })
    /** @type {Answer['found']} */
    const found = status === optimal ? 'best' : status === timeLimit && values.length > 0 ? 'some' : 'none'
    return { found, values }
  })
}

parentPort?.on('message', (/** @type {Question} */ question) => {
  void solve(question)
    .catch(() => {
      // After an error the instance is unusable.
      highs = undefined
      return { found: /** @type {const} */ ('none'), values: [] }
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    .then((answer) => parentPort?.postMessage({ id: question.id, ...answer }))
})
