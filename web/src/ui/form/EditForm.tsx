import { Alert, Button, Form } from 'antd'
import type { FormProps } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { FormRulesContext } from './fields.tsx'
import { UnsavedEdits } from './UnsavedEdits.tsx'
import type { useRecordForm } from './useRecordForm.ts'
import styles from './fields.module.css'

type Edit<Input extends object> = Pick<
  ReturnType<typeof useRecordForm<Input, unknown, unknown>>,
  'form' | 'formProps' | 'rules' | 'problem' | 'isStale' | 'mayReload' | 'takeNewest' | 'isEdited' | 'draft'
>

interface EditFormProps<Input extends object> extends Pick<
  FormProps<Input>,
  'name' | 'className' | 'requiredMark' | 'aria-label' | 'component'
> {
  edit: Edit<Input>
  /** The field that typing begins with. */
  focus?: Extract<keyof Input, string>
  /** When closing asks about edits: always, not while the same record stays open, or never. */
  asks?: 'always' | 'outsideRecord' | 'never'
  children: ReactNode
}

/** A form on a form engine: its fields, why saving was refused, and the question before edits are lost. */
export function EditForm<Input extends object>(props: EditFormProps<Input>) {
  const { edit, focus, asks = 'always', children, ...rest } = props
  const { form, rules } = edit
  useEffect(() => {
    if (focus) form.focusField(focus)
  }, [form, focus])
  return (
    <FormRulesContext value={rules}>
      <Form<Input> {...edit.formProps} {...rest}>
        <SaveProblem edit={edit} />
        {children}
      </Form>
      {asks !== 'never' && (
        <UnsavedEdits isEdited={edit.isEdited} isOfRecord={asks === 'outsideRecord'} draft={edit.draft} />
      )}
    </FormRulesContext>
  )
}

interface SaveProblemProps {
  edit: Pick<Edit<object>, 'problem' | 'isStale' | 'mayReload' | 'takeNewest'>
  /** What stands below the sentence after someone else was faster, in place of the button. */
  children?: ReactNode
}

/** Why saving was refused; after someone else was faster, the way to go on with one's own edits. */
export function SaveProblem({ edit, children }: SaveProblemProps) {
  const { problem, isStale, mayReload, takeNewest } = edit
  if (problem === undefined) return null
  const reload = isStale && mayReload && <Button onClick={() => void takeNewest()}>Reload and keep my edits</Button>
  return (
    <Alert
      type={isStale ? 'warning' : 'error'}
      role="alert"
      className={styles.problem ?? ''}
      title={
        <>
          {problem}
          {isStale && children}
          {children && reload}
        </>
      }
      action={!children && reload}
    />
  )
}

interface ListErrorsProps {
  errors: ReactNode[]
  warnings?: ReactNode[]
}

/** What is wrong with a field of several rows as a whole. */
export const ListErrors = ({ errors, warnings = [] }: ListErrorsProps) =>
  errors.length + warnings.length > 0 && (
    <div role="alert">
      <Form.ErrorList errors={errors} warnings={warnings} />
    </div>
  )
