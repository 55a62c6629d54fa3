import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import type * as z from '@roadshow/contract/platform/zod'
import { Alert, Button, Form } from 'antd'
import type { FormInstance } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, call, errorMessage, isStale } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { FormRulesContext } from '../../../ui/fields.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { useFormDraft } from '../../../ui/UnsavedEdits.tsx'
import type { FieldsOf } from '../../../ui/words.ts'
import { AskBeforeLeaving } from '../../photos/AskBeforeLeaving.tsx'
import styles from './PopSectionForm.module.css'

type PopVersionRef = Pick<Pop, 'uid' | 'version'>

interface SectionEndpoint<Input> extends Endpoint {
  body: z.ZodType<unknown, Input & PopVersionRef> & { shape: z.ZodRawShape }
  reply: z.ZodType<unknown, { data: Pop }>
}

interface PopSectionProps<Input extends object> {
  pop: Pop
  /** The name of the section: `text`. */
  noun: string
  endpoint: SectionEndpoint<Input>
  fields: FieldsOf<Input>
  toInput: (pop: Pop) => Input
  children: ReactNode
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The part of `now` that differs from `before`. */
const changedSince = <Input extends object>(now: Input, before: Input) =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof Input])))

/** The form of one section: it follows other people's saves, and merges with theirs on a conflict. */
function usePopSection<Input extends object>({ pop, noun, endpoint, toInput }: PopSectionProps<Input>) {
  const [form] = Form.useForm<Input>()
  // The POP that filled the form: saving names its version.
  const base = useRef(pop)
  const [problem, setProblem] = useState<unknown>()
  const save = useSave(endpoint)
  const notice = useNotice()

  const valuesNow = () => ({ ...toInput(base.current), ...(form.getFieldsValue(true) as Input) })
  const isEdited = () => !isSame(valuesNow(), toInput(base.current))

  const follow = (newest: Pop) => {
    // Every section shares one version: while this section is unchanged, there is no conflict.
    if (newest.version < base.current.version || (isEdited() && !isSame(toInput(newest), toInput(base.current)))) return
    const mine = isEdited() ? valuesNow() : toInput(newest)
    base.current = newest
    form.setFieldsValue(mine)
  }
  const onNewest = useEffectEvent(follow)
  useEffect(() => onNewest(pop), [pop])

  useFormDraft<SectionDraft<Input>>(isEdited, {
    name: `${endpoint.path} ${pop.uid}`,
    read: () => ({ base: base.current, values: valuesNow() }),
    restore(draft) {
      base.current = draft.base
      form.setFieldsValue(draft.values)
      follow(pop)
    },
  })

  const submit = async () => {
    setProblem(undefined)
    try {
      // Not the submitted values: those lack the fields that are not drawn.
      const sent = valuesNow()
      const { data } = await save.mutateAsync({
        body: { ...sent, uid: base.current.uid, version: base.current.version },
      })
      const typedSince = changedSince(valuesNow(), sent)
      base.current = data
      form.setFieldsValue({ ...toInput(data), ...typedSince })
      notice(`${data.name}: ${noun} saved.`)
    } catch (error) {
      if (!markFields(form, error)) setProblem(error)
    }
  }

  /** Reloads the POP and keeps the fields that were changed here. */
  const rebase = async () => {
    try {
      const { data: newest } = await call(pops.get, { params: { uid: base.current.uid } })
      const mine = changedSince(valuesNow(), toInput(base.current))
      base.current = newest
      form.setFieldsValue({ ...toInput(newest), ...mine })
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    }
  }
  return { form, problem, isEdited, isSaving: save.isPending, submit, rebase }
}

/** What is typed into a section, and the POP it was typed over: saving names its version. */
interface SectionDraft<Input> {
  base: Pop
  values: Input
}

/** Marks the fields that the server refused and focuses the first; false if it named none. */
function markFields<Input extends object>(form: FormInstance<Input>, error: unknown): boolean {
  const marked = Object.entries(error instanceof ApiError ? error.fields : {}).map(([name, text]) => ({
    name: name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)) as never,
    errors: [text],
  }))
  const [first] = marked
  form.setFields(marked)
  if (first) form.focusField(first.name)
  return first !== undefined
}

/** A form over one section of a POP. Other sections can be saved at the same time. */
export function PopSectionForm<Input extends object>(props: PopSectionProps<Input>) {
  const { pop, noun, endpoint, fields, toInput, children } = props
  const { form, problem, isEdited, isSaving, submit, rebase } = usePopSection(props)
  return (
    <FormRulesContext value={{ fields, schema: endpoint.body }}>
      <Form<Input>
        form={form}
        layout="vertical"
        initialValues={toInput(pop)}
        scrollToFirstError={{ focus: true }}
        onFinish={() => void submit()}
        className={`${styles.part} pop-section`}
      >
        {problem !== undefined && (
          <Alert
            type={isStale(problem) ? 'warning' : 'error'}
            role="alert"
            title={errorMessage(problem)}
            action={isStale(problem) && <Button onClick={() => void rebase()}>Reload and keep my edits</Button>}
          />
        )}
        {children}
        <footer className={styles.save}>
          <Button type="primary" htmlType="submit" loading={isSaving}>
            Save {noun}
          </Button>
        </footer>
      </Form>
      <AskBeforeLeaving
        isBusy={isEdited}
        question="Discard your changes?"
        text="Your unsaved changes here will be lost."
        act="Discard"
      />
    </FormRulesContext>
  )
}
