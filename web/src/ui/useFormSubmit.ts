import { Form } from 'antd'
import { useRef, useState } from 'react'
import { ApiError, errorMessage } from '../api/call.ts'

/**
 * A form that is sent as a whole: what the server refuses is marked at its field, or said above the form. `save` answers what
 * follows, which runs once the form counts as saved: leaving it asks nothing then.
 */
export function useFormSubmit<Input extends object>(save: (values: Input) => Promise<() => void>) {
  const [form] = Form.useForm<Input>()
  const [problem, setProblem] = useState<string>()
  const isDone = useRef(false)

  const submit = async (values: Input) => {
    setProblem(undefined)
    try {
      const follow = await save(values)
      isDone.current = true
      follow()
    } catch (error) {
      const marked = Object.entries(error instanceof ApiError ? error.fields : {})
      form.setFields(marked.map(([name, text]) => ({ name: name as never, errors: [text] })))
      if (marked.length === 0) setProblem(errorMessage(error))
    }
  }
  const isEdited = () => !isDone.current && form.isFieldsTouched()

  return { form, submit, isEdited, problem }
}
