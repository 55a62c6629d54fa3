import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { impressionMethodInput, impressions, TRAFFIC_FILE_BYTES } from '@roadshow/contract/proof/impressions'
import type { ImpressionInputs, ImpressionMethodSummary } from '@roadshow/contract/proof/impressions'
import { Alert, Drawer, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { ChooseFile } from '../../ui/ChooseFile.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { StickyFooter } from '../../ui/StickyFooter.tsx'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { MethodInputs } from './MethodInputs.tsx'

interface MethodValues {
  note: string
  traffic: 'keep' | 'none' | 'replace'
  inputs: ImpressionInputs
}

interface MethodDrawerProps {
  newest: ImpressionMethodSummary
  inputs: ImpressionInputs
  onClose: () => void
}

/** `inputs.areas.0.marketUid` as the path of a field. */
const pathOf = (name: string) => name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** Problems by field, with the schema of the request. */
function problemsOf(body: unknown): [string, string][] {
  const { error } = impressionMethodInput.safeParse(body)
  return (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
}

function useMethodForm({ newest, onClose }: MethodDrawerProps) {
  const [form] = Form.useForm<MethodValues>()
  const [file, setFile] = useState<File>()
  const [problems, setProblems] = useState<string[]>([])
  const save = useSave(impressions.addMethod)
  const notice = useNotice()
  const [isDone, setIsDone] = useState(false)

  /** A problem of a whole table has no field of its own and stands above the form. */
  const mark = (found: [string, string][]) => {
    form.setFields(found.map(([name, text]) => ({ name: pathOf(name) as never, errors: [text] })))
    setProblems([
      ...new Set(found.filter(([name]) => !form.getFieldInstance(pathOf(name) as never)).map(([, text]) => text)),
    ])
  }
  const submit = async () => {
    // All values: the form has no field for the market of the first area, which is none.
    const { note, traffic, inputs } = form.getFieldsValue(true) as MethodValues
    const refused = form.getFieldsError().filter(({ errors }) => errors.length > 0)
    form.setFields(refused.map(({ name }) => ({ name: name as never, errors: [] })))
    setProblems([])
    if (traffic === 'replace' && !file) return setProblems(['Choose a GeoJSON file.'])
    if (file && file.size > TRAFFIC_FILE_BYTES) return setProblems(['The file must not be larger than 8 MB.'])
    const trafficFile = traffic === 'replace' ? ((await file?.text()) ?? '') : ''
    const body = { basedOn: newest.version, note, inputs, traffic, trafficFile }
    const found = problemsOf(body)
    if (found.length > 0) return mark(found)
    try {
      await save.mutateAsync({ body })
      setIsDone(true)
      notice(`Method ${newest.version + 1} is saved.`)
      onClose()
    } catch (error) {
      const marked = Object.entries(error instanceof ApiError ? error.fields : {})
      if (marked.length > 0) mark(marked)
      else setProblems([errorMessage(error)])
    }
  }
  const isEdited = () => !isDone && (form.isFieldsTouched() || file !== undefined)
  return { form, file, setFile, problems, submit, isEdited, isBusy: save.isPending }
}

/** A new version of the method, based on the newest one. */
export function MethodDrawer(props: MethodDrawerProps) {
  const { newest, inputs, onClose } = props
  const { form, file, setFile, problems, submit, isEdited, isBusy } = useMethodForm(props)
  const traffic = Form.useWatch('traffic', form)
  return (
    <Drawer open onClose={onClose} size={LARGE_DRAWER_WIDTH} title={`Method ${newest.version + 1}`}>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ note: '', traffic: 'keep', inputs }}
        onFinish={() => void submit()}
      >
        {problems.length > 0 && <Alert type="error" role="alert" title={problems.join(' ')} />}
        <Form.Item name="note" label="What is new" required extra="Readers of the method see it beside the version.">
          <Input maxLength={300} />
        </Form.Item>
        <MethodInputs />
        <Form.Item
          name="traffic"
          label="Counted roads"
          extra="Where a truck is within 100 feet of one, its count is used."
        >
          <Select options={trafficOptions(newest.segments)} />
        </Form.Item>
        {traffic === 'replace' && (
          <Form.Item
            name="trafficFile"
            label="GeoJSON file"
            extra="Lines with their daily vehicles in dailyVehicles or aadt; at most 5,000 lines and 8 MB."
          >
            <ChooseFile file={file} onChoose={setFile} accept=".geojson,.json,application/geo+json,application/json" />
          </Form.Item>
        )}
        <StickyFooter act="Save as new version" isBusy={isBusy} onClose={onClose} />
      </Form>
      <UnsavedEdits isEdited={isEdited} />
    </Drawer>
  )
}

const trafficOptions = (segments: number) => [
  { value: 'keep', label: segments > 0 ? `Keep the ${segments.toLocaleString('en-US')} counted roads` : 'None' },
  ...(segments > 0 ? [{ value: 'none', label: 'Remove them' }] : []),
  { value: 'replace', label: segments > 0 ? 'Replace them with a file' : 'Load a file' },
]
