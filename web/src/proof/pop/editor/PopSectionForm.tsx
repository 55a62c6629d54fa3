import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import type * as z from '@roadshow/contract/platform/zod'
import { Alert, Button, Form } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, call, errorMessage } from '../../../api/call.ts'
import { FormRulesContext } from '../../../ui/fields.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import type { FieldsOf } from '../../../ui/words.ts'
import { AskBeforeLeaving } from '../../photos/AskBeforeLeaving.tsx'
import { useSavePop } from '../../photos/refreshPops.ts'
import styles from '../pop.module.css'

type SavedPart = Pick<Pop, 'uid' | 'version'>

interface SavingPart<Input> extends Endpoint {
  body: z.ZodType<unknown, Input & SavedPart> & { shape: z.ZodRawShape }
  reply: z.ZodType<unknown, { data: Pop }>
}

interface PopPartProps<Input extends object> {
  pop: Pop
  /** What this part of the POP is called: `text`. */
  noun: string
  endpoint: SavingPart<Input>
  fields: FieldsOf<Input>
  toInput: (pop: Pop) => Input
  children: ReactNode
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const isStale = (error: unknown) => error instanceof ApiError && error.code === 'staleVersion'

/** A form over one part of a POP. Other parts may be saved meanwhile; somebody else's change of this one is met. */
export function PopSectionForm<Input extends object>(props: PopPartProps<Input>) {
  const { pop, noun, endpoint, fields, toInput, children } = props
  const [form] = Form.useForm<Input>()
  // What the form was filled from: saving names its version.
  const base = useRef(pop)
  const [problem, setProblem] = useState<unknown>()
  const save = useSavePop(endpoint)
  const notice = useNotice()

  const valuesNow = () => ({ ...toInput(base.current), ...(form.getFieldsValue(true) as Input) })
  const isEdited = () => !isSame(valuesNow(), toInput(base.current))

  const follow = useEffectEvent((newest: Pop) => {
    // The version moves with every part; as long as this one is the same, there is nothing to meet.
    if (newest.version < base.current.version || (isEdited() && !isSame(toInput(newest), toInput(base.current)))) return
    const mine = isEdited() ? valuesNow() : toInput(newest)
    base.current = newest
    form.setFieldsValue(mine)
  })
  useEffect(() => follow(pop), [pop])

  const refuse = (error: unknown) => {
    const marked = Object.entries(error instanceof ApiError ? error.fields : {}).map(([name, text]) => ({
      name: name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)) as never,
      errors: [text],
    }))
    const [first] = marked
    form.setFields(marked)
    if (first) form.focusField(first.name)
    else setProblem(error)
  }

  const submit = async () => {
    setProblem(undefined)
    try {
      // Not the values that a form submits: those lack what no field of it shows.
      const body = { ...valuesNow(), uid: base.current.uid, version: base.current.version }
      const { data } = await save.mutateAsync({ body })
      base.current = data
      form.setFieldsValue(toInput(data))
      notice(`${data.name}: ${noun} saved.`)
    } catch (error) {
      refuse(error)
    }
  }

  /** Takes the newest under one's own edits: what was not touched here is as the other left it. */
  const takeNewest = async () => {
    try {
      const { data: newest } = await call(pops.get, { params: { uid: base.current.uid } })
      const before = toInput(base.current)
      const mine = Object.entries(valuesNow()).filter(([name, value]) => !isSame(value, before[name as keyof Input]))
      base.current = newest
      form.setFieldsValue({ ...toInput(newest), ...Object.fromEntries(mine) })
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    }
  }

  return (
    <FormRulesContext value={{ fields, schema: endpoint.body }}>
      <Form<Input>
        form={form}
        layout="vertical"
        initialValues={toInput(pop)}
        scrollToFirstError={{ focus: true }}
        onFinish={() => void submit()}
        className={styles.part ?? ''}
      >
        {problem !== undefined && (
          <Alert
            type={isStale(problem) ? 'warning' : 'error'}
            role="alert"
            title={errorMessage(problem)}
            action={isStale(problem) && <Button onClick={() => void takeNewest()}>Reload and keep my edits</Button>}
          />
        )}
        {children}
        <footer className={styles.save}>
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            Save {noun}
          </Button>
        </footer>
      </Form>
      <AskBeforeLeaving
        isBusy={isEdited}
        question="Discard your changes?"
        text="What you changed here has not been saved and will be lost."
        act="Discard"
      />
    </FormRulesContext>
  )
}
