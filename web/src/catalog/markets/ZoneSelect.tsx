import { Select } from 'antd'
import type { SelectProps } from 'antd'

const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone }))

export const ZoneSelect = (props: Pick<SelectProps<string>, 'id' | 'value' | 'onChange' | 'placeholder'>) => (
  <Select<string> showSearch options={zones} style={{ width: '100%' }} {...props} />
)
