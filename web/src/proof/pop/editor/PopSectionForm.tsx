import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import type * as z from '@roadshow/contract/platform/zod'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { call } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { EditForm } from '../../../ui/form/EditForm.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { useRecordForm } from '../../../ui/form/useRecordForm.ts'
import type { FieldsOf } from '../../../ui/text/words.ts'
import styles from './PopEditor.module.css'

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

/** A form over one section of a POP. Every section shares one version; those without a conflict can be saved at the same time. */
export function PopSectionForm<Input extends object>(props: PopSectionProps<Input>) {
  const { pop, noun, endpoint, fields, toInput, children } = props
  const save = useSave(endpoint)
  const notice = useNotice()
  const edit = useRecordForm({
    base: pop,
    toInput,
    isLive: true,
    fields,
    schema: endpoint.body,
    draft: `${endpoint.path} ${pop.uid}`,
    save: (input: Input, { uid, version }) => save.mutateAsync({ body: { ...input, uid, version } }),
    goOnFrom: ({ data }) => data,
    onSaved: ({ data }) => notice(`${data.name}: ${noun} saved.`),
    reload: async ({ uid }) => (await call(pops.get, { params: { uid } })).data,
  })
  return (
    <EditForm edit={edit} asks="outsideRecord" className={`${styles.part} pop-section`}>
      {children}
      <footer className={styles.save}>
        <Button type="primary" htmlType="submit" loading={edit.isBusy}>
          Save {noun}
        </Button>
      </footer>
    </EditForm>
  )
}
