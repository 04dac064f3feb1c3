XML = """<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
  <driver_version>550.1.2</driver_version>
  <cuda_version>12.4</cuda_version>
  <attached_gpus>1</attached_gpus>
  <gpu id="00000000:01:00.0">
    <product_name>NVIDIA A100-SXM4-40GB</product_name>
    <mig_mode><current_mig>Enabled</current_mig></mig_mode>
    <mig_devices>
      <mig_device>
        <index>0</index>
        <gpu_instance_id>1</gpu_instance_id>
        <compute_instance_id>0</compute_instance_id>
        <fb_memory_usage><total>19968 MiB</total><used>19 MiB</used></fb_memory_usage>
        <bar1_memory_usage><total>32767 MiB</total><used>1 MiB</used></bar1_memory_usage>
      </mig_device>
    </mig_devices>
    <uuid>GPU-0a1b2c3d-1111-2222-3333-444455556666</uuid>
    <fb_memory_usage>
      <total>40960 MiB</total>
      <reserved>605 MiB</reserved>
      <used> 38 MiB </used>
    </fb_memory_usage>
    <bar1_memory_usage><total>65536 MiB</total><used>2 MiB</used></bar1_memory_usage>
    <processes>
      <process_info>
        <gpu_instance_id>1</gpu_instance_id>
        <compute_instance_id>0</compute_instance_id>
        <pid>77</pid>
        <type>C</type>
        <process_name>a &amp; b</process_name>
        <used_memory>12 MiB</used_memory>
      </process_info>
      <process_info><pid>78</pid><process_name></process_name><used_memory>N/A</used_memory></process_info>
    </processes>
  </gpu>
</nvidia_smi_log>"""


def test_a_report_is_read(monitors):
    seen = monitors.read(XML)
    (gpu,), (device,) = seen.gpus, seen.mig_devices

    assert ("550.1.2", "12.4") == (seen.driver, seen.cuda)
    assert (0, "NVIDIA A100-SXM4-40GB", 38, 40960, "Enabled") == (
        gpu.index, gpu.name, gpu.memory_used_mib, gpu.memory_total_mib, gpu.mig_mode,
    )  # fmt: skip
    assert (0, 1, 0, 0, 19, 19968) == (
        device.gpu, device.gi, device.ci, device.dev, device.memory_used_mib, device.memory_total_mib,
    )  # fmt: skip
    assert [
        (0, 1, 77, "a & b", 12),
        (0, None, 78, None, None),
    ] == [(p.gpu, p.gi, p.pid, p.name, p.memory_mib) for p in seen.processes]


def test_a_document_on_one_line_reads_the_same(monitors):
    one_line = "".join(line.strip() for line in XML.split("\n"))

    assert monitors.state_of(monitors.read(XML)) == monitors.state_of(monitors.read(one_line))


def test_a_truncated_document_shows_what_it_still_holds(monitors):
    seen = monitors.read(XML[: XML.index("<reserved>")])

    assert [(40960, None)] == [(g.memory_total_mib, g.memory_used_mib) for g in seen.gpus]


def test_entities_are_never_expanded(monitors):
    bomb = '<!DOCTYPE x [<!ENTITY a "0123456789">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 20)
    )
    seen = monitors.read(bomb + "]><nvidia_smi_log><gpu id='00000000:01:00.0'><product_name>&a19;</product_name></gpu>")

    assert ["&a19;"] == [gpu.name for gpu in seen.gpus]
