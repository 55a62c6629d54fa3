import { Form } from 'antd'
import type { FormInstance } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorMessage, isStale } from '../../api/call.ts'
import { withoutFiles } from './fields.tsx'
import type { FormRules } from './fields.tsx'
import { useRefusal } from './useRefusal.ts'
import { fieldLabel, formatFieldValue } from '../text/words.ts'
import type { AnyFields } from '../text/words.ts'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The part of `now` that differs from `before`. */
const changedSince = <Input extends object>(now: Input, before: Input): Partial<Input> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof Input])),
  ) as Partial<Input>

/** The newest values with the fields that were edited here since `before`. */
const mergeFields = <Input extends object>(before: Input, mine: Input, newest: Input): Input => ({
  ...newest,
  ...changedSince(mine, before),
})

const versionOf = (base: unknown) => (base as { version?: number } | undefined)?.version ?? 0

/** Whether what changed holds something at a path, such as that of a field in one of several rows. */
const isIn = (changed: object, path: (string | number)[]) =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | undefined)?.[step], changed) !==
  undefined

// A field is checked when it is left; once it is marked, typing clears the mark as soon as it is right.
function recheckMarked<Input>(form: FormInstance<Input>, changed: object): void {
  const marked = form.getFieldsError().filter(({ name, errors }) => errors.length > 0 && isIn(changed, name))
  if (marked.length > 0) void form.validateFields(marked.map(({ name }) => name) as never).catch(() => undefined)
}

/** What a form keeps of its edits while it is closed. */
type TypedEdits<Input> = Record<'mine', Partial<Input>> & Record<'before', Input>

interface RecordFormOptions<Input extends object, Base, Saved> {
  /** What fills the form: a saved record, or what a new one starts with. */
  base: Base
  toInput: (base: Base) => Input
  /** The base is kept current: the form follows it until the user edits what changed. */
  isLive?: boolean
  fields?: AnyFields
  /** The request's own schema, which checks each `Field`. */
  schema?: FormRules['schema']
  /** Sends what is typed, for the base that it was typed over. */
  save: (input: Input, base: Base, edits: TypedEdits<Input>) => Promise<Saved>
  /** Runs after saving: closing the form asks nothing then. */
  onSaved: (saved: Saved) => void
  /** Where the form stays open after saving: what it goes on from. */
  goOnFrom?: (saved: Saved, base: Base) => Base
  /** Loads the newest base, under which edits are put after someone else was faster. */
  reload?: (base: Base) => Promise<Base>
  /** Where that happens at once, so that saving again is enough: the sentence that says so. */
  saveAgain?: string
  merge?: (before: Input, mine: Input, newest: Input) => Input
  /** What to say at a field that someone else has changed too. */
  changeText?: (name: string, newest: Base) => string
  /** The name under which typed edits outlast a forced sign-out. */
  draft?: string
  /** Fields that cannot be kept in it. */
  undrafted?: readonly string[]
  /** Brings a field into sight that stands on another tab. */
  reveal?: (field: string) => void
}

/** The values of a form over their base, and how edits move to a newer one. */
function useTyped<Input extends object, Base, Saved>(
  form: FormInstance<Input>,
  options: RecordFormOptions<Input, Base, Saved>,
) {
  const { toInput, fields = {}, merge = mergeFields<Input>, undrafted = [] } = options
  const [base, setBase] = useState(options.base)
  // Calls that wait for an answer outlast the render that made them.
  const newest = useRef(options.base)
  const before = () => toInput(newest.current)
  const now = (): Input => ({ ...before(), ...(form.getFieldsValue(true) as Input) })
  const edits = () => changedSince(now(), before())

  const changeText = (name: string, to: Base) =>
    options.changeText?.(name, to) ??
    `${fieldLabel(fields, name)} was changed to: ${formatFieldValue(fields, name, toInput(to)[name as keyof Input])}`

  /** Marks the fields that were changed here and elsewhere, and answers their names. */
  const markBoth = (from: Input, mine: Input, to: Base) => {
    const theirs = changedSince(toInput(to), from)
    const both = Object.keys(changedSince(mine, from)).filter((name) => name in theirs)
    form.setFields(both.map((name) => ({ name: name as never, warnings: [changeText(name, to)] })))
    return both
  }
  /** Puts edits made since `from` over another base. Answers how to mark what both changed. */
  const put = (from: Input, mine: Input, to: Base) => {
    form.setFieldsValue(merge(from, mine, toInput(to)))
    return () => markBoth(from, mine, to)
  }

  return {
    base,
    newest,
    edits,
    /** What is drawn as it is typed, rows whole, and what is not drawn as it was. */
    toSend(): Input {
      const all = form.getFieldsValue(true) as Input
      const drawn = Object.keys(form.getFieldsValue())
      return { ...before(), ...Object.fromEntries(drawn.map((name) => [name, all[name as keyof Input]])) }
    },
    rebase(to: Base, from = before()) {
      const mine = now()
      newest.current = to
      setBase(to)
      return put(from, mine, to)
    },
    /** Whether the edits and another base changed the same; then the fields say so. */
    isAgainst(to: Base): boolean {
      const [from, mine, fresh] = [before(), now(), toInput(to)]
      if (isSame(mine, from) || isSame(fresh, from) || isSame(mine, fresh)) return false
      markBoth(from, mine, to)
      return true
    },
    draft: {
      name: options.draft,
      read: (): TypedEdits<Input> => {
        const kept = Object.entries(withoutFiles(edits())).filter(([name]) => !undrafted.includes(name))
        return { mine: Object.fromEntries(kept) as Partial<Input>, before: before() }
      },
      restore(kept: Partial<TypedEdits<Input>>) {
        // A draft of an earlier version of this page may have another shape.
        if (kept.mine && kept.before) put(kept.before, { ...kept.before, ...kept.mine }, newest.current)()
      },
    },
  }
}

/** How the newest base comes under the edits: by itself where it is kept current, and after a refused save. */
function useRebasing<Input extends object, Base, Saved>(
  { base, reload, saveAgain, isLive = false }: RecordFormOptions<Input, Base, Saved>,
  typed: ReturnType<typeof useTyped<Input, Base, Saved>>,
  refusal: ReturnType<typeof useRefusal<Input>>,
) {
  const load = async () => reload?.(typed.newest.current)

  // An edit of what someone else has changed stays over its old base, so that saving is refused and says so.
  const followBase = useEffectEvent((to: Base) => {
    const held = typed.newest.current
    if (isLive && to !== held && versionOf(to) >= versionOf(held) && !typed.isAgainst(to)) typed.rebase(to)
  })
  useEffect(() => followBase(base), [base])

  return {
    mergeNewest: async (): Promise<string[]> => {
      const to = await load()
      if (to === undefined) return []
      refusal.settle()
      return typed.rebase(to)()
    },
    /** After a refused save, where saving again is enough. */
    rebaseIfStale: async (cause: unknown) => {
      if (!saveAgain || !isStale(cause)) return
      refusal.setProblem(saveAgain)
      const to = await load().catch(() => undefined)
      if (to !== undefined) typed.rebase(to)()
    },
  }
}

/**
 * The one engine of forms: fills them, checks by the request's schema, knows what was edited, saves, shows refusals at
 * their fields, and puts another person's change under the user's own edits. `EditForm` and `RecordForm` draw it.
 */
export function useRecordForm<Input extends object, Base, Saved>(options: RecordFormOptions<Input, Base, Saved>) {
  const { fields = {}, schema, reveal = () => undefined } = options
  const [form] = Form.useForm<Input>()
  const typed = useTyped(form, options)
  const { shown, ...refusal } = useRefusal(form, reveal)
  const { mergeNewest, rebaseIfStale } = useRebasing(options, typed, { shown, ...refusal })
  const [isBusy, setBusy] = useState(false)
  // What is saved or deleted has no edits left: closing must not ask.
  const isDone = useRef(false)

  const submit = async (save = options.save) => {
    refusal.clear()
    setBusy(true)
    const sent = typed.toSend()
    try {
      const saved = await save(sent, typed.newest.current, typed.draft.read())
      if (options.goOnFrom) typed.rebase(options.goOnFrom(saved, typed.newest.current), sent)
      else isDone.current = true
      options.onSaved(saved)
    } catch (error) {
      refusal.show(error)
      await rebaseIfStale(error)
    }
    setBusy(false)
  }

  const showField = (field: string | undefined) => {
    reveal(field ?? '')
    form.focusField(field ?? Object.keys(fields)[0])
  }

  return {
    ...shown,
    form,
    base: typed.base,
    isBusy,
    submit,
    draft: typed.draft,
    rules: schema && { fields, schema },
    mayReload: options.reload !== undefined && options.saveAgain === undefined,
    setProblem: refusal.setProblem,
    show: refusal.show,
    /** Closing will not ask about edits any more. */
    leave: () => void (isDone.current = true),
    isEdited: () => !isDone.current && Object.keys(typed.edits()).length > 0,
    /** What Ant Design's form needs. */
    formProps: {
      form,
      layout: 'vertical' as const,
      initialValues: options.toInput(typed.base),
      scrollToFirstError: { focus: true },
      onValuesChange: (changed: object) => recheckMarked(form, changed),
      onFinish: () => void submit(),
    },

    /** Puts the newest version under the user's own edits, and marks fields that both changed. */
    async takeNewest() {
      try {
        const [first] = await mergeNewest()
        showField(first)
      } catch (error) {
        refusal.setProblem(errorMessage(error))
      }
    },
    /** The same after another tab has saved the record; the form comes forward only for a field that both changed. */
    async follow() {
      const [first] = await mergeNewest()
      if (first !== undefined) showField(first)
    },
  }
}
