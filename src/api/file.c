/* SPDX-License-Identifier: BSD-3-Clause */
/* Files (MPI 13). */
#include <string.h>

#include "api/file.h"

int check_fh_failed(struct where w, ep_file file)
{
    if (file_has_ended(file)) {
        w.view = file->view;
        return raise_not_running(w);
    }
    if (!process_mpi_runs())
        return raise_not_running(w);
    return raise_handle(w, MPI_ERR_FILE, "fh", file == EP_FILE_NULL ? "EP_FILE_NULL" : NULL);
}

/* ---- opening ---- */

/* Where the new handle goes; it becomes EP_FILE_NULL. */
static int check_new_file(struct where w, ep_file *fh)
{
    int rc = check_pointer(w, fh, "fh");
    if (rc)
        return rc;
    *fh = EP_FILE_NULL;
    return check_intra(w);
}

/* What of these may not be, in words (MPI 13.2.1); or NULL. */
static const char *amode_fault(int amode)
{
    enum { ACCESS = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY };
    int access = amode & ACCESS;
    int known = ACCESS | MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN |
                MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND;
    if (amode & ~known)
        return "there are bits in it that mean nothing";
    if (access != MPI_MODE_RDONLY && access != MPI_MODE_RDWR && access != MPI_MODE_WRONLY)
        return "it must have one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY";
    if (access == MPI_MODE_RDONLY && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)))
        return "MPI_MODE_RDONLY goes with neither MPI_MODE_CREATE nor MPI_MODE_EXCL";
    if (access == MPI_MODE_RDWR && (amode & MPI_MODE_SEQUENTIAL))
        return "MPI_MODE_SEQUENTIAL does not go with MPI_MODE_RDWR";
    return NULL;
}

static int check_ask_file(struct where w, const struct file_ask *ask)
{
    int rc = check_pointer(w, ask->name, "filename");
    const char *fault = rc ? NULL : amode_fault(ask->amode);
    if (fault)
        return raise_error(w, MPI_ERR_AMODE, "argument amode is %d: %s", ask->amode, fault);
    return rc ? rc : check_info(w, ask->info);
}

/* Here all endpoints take part, and learn of an error. */
static int open_file(struct where w, struct file_ask ask, ep_file *fh)
{
    return file_open(w, &ask, check_ask_file(w, &ask), fh);
}

static int delete_file(struct where w, const char *filename)
{
    int rc = check_running(w);
    return rc ? rc : file_delete(w, filename);
}

/* ---- the file as a whole ---- */

static int check_sequential(struct where w, ep_file fh)
{
    return likely(!(fh->file->amode & MPI_MODE_SEQUENTIAL))
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_UNSUPPORTED_OPERATION,
                             "the file was opened with MPI_MODE_SEQUENTIAL");
}

static int check_file_writes(struct where w, ep_file fh)
{
    return likely(!(fh->file->amode & MPI_MODE_RDONLY))
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_READ_ONLY, "the file was opened with MPI_MODE_RDONLY");
}

static int check_file_reads(struct where w, ep_file fh)
{
    return likely(!(fh->file->amode & MPI_MODE_WRONLY))
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_ACCESS, "the file was opened with MPI_MODE_WRONLY");
}

static int check_offset(struct where w, MPI_Offset offset, const char *name)
{
    return likely(offset >= 0) ? MPI_SUCCESS
                               : raise_error(w, MPI_ERR_ARG, "argument %s is %lld: it must be 0 or more",
                                             name, (long long)offset);
}

/* Of a call that all make: an error goes to all. */
static int check_resize(struct where w, ep_file fh, MPI_Offset size)
{
    int rc = check_file_writes(w, fh);
    if (rc || (rc = check_sequential(w, fh)))
        return rc;
    return check_offset(w, size, "size");
}

static int check_file_info(struct where w, MPI_Info info)
{
    if (info == MPI_INFO_NULL)
        return raise_error(w, MPI_ERR_INFO, "argument info is MPI_INFO_NULL: it must be an info");
    return check_info(w, info);
}

/* ---- views ---- */

static int find_datarep(struct where w, const char *datarep, enum file_datarep *found)
{
    int rc = check_pointer(w, datarep, "datarep");
    for (int i = 0; i < DATAREPS && !rc; i++)
        if (strcmp(datarep, file_datarep_names[i]) == 0) {
            *found = (enum file_datarep)i;
            return MPI_SUCCESS;
        }
    return rc ? rc
              : raise_error(w, MPI_ERR_UNSUPPORTED_DATAREP,
                            "argument datarep is \"%.40s\": there is no such representation", datarep);
}

static int check_displacement(struct where w, ep_file fh, MPI_Offset disp)
{
    bool sequential = fh->file->amode & MPI_MODE_SEQUENTIAL;
    if (sequential == (disp == MPI_DISPLACEMENT_CURRENT))
        return sequential ? MPI_SUCCESS : check_offset(w, disp, "disp");
    return raise_error(w, MPI_ERR_ARG, "argument disp is %s",
                       sequential ? "not MPI_DISPLACEMENT_CURRENT, "
                                    "though the file was opened with "
                                    "MPI_MODE_SEQUENTIAL"
                                  : "MPI_DISPLACEMENT_CURRENT, which is for "
                                    "MPI_MODE_SEQUENTIAL");
}

static int set_file_view(struct where w, ep_file fh, struct file_view_ask ask, const char *datarep,
                         MPI_Info info)
{
    struct type *t;
    int rc = check_displacement(w, fh, ask.disp);
    if (!rc)
        rc = check_type(w, ask.etype, "etype", &t);
    if (!rc)
        rc = check_type(w, ask.filetype, "filetype", &t);
    if (!rc)
        rc = find_datarep(w, datarep, &ask.datarep);
    if (!rc)
        rc = check_info(w, info);
    rc = file_set_view(w, fh, rc, &ask);
    if (!rc)
        file_hints_read(&fh->hints, info);
    return rc;
}

/* ---- data access ---- */

/* Whole etypes (MPI 13.4.1). */
static int check_file_data(struct where w, ep_file fh, const void *buf, int count, MPI_Datatype datatype,
                           struct span *data)
{
    int rc = check_data(w, buf, count, datatype, data);
    size_t size = fh->layout.etype->size;
    if (unlikely(rc) || likely(data->type->size % size == 0) || span_bytes(data) % size == 0)
        return rc;
    return raise_error(w, MPI_ERR_TYPE,
                       "%d elements of argument datatype are %zu bytes, no whole number of etypes "
                       "of %zu",
                       count, span_bytes(data), size);
}

static int check_read(struct where w, ep_file fh, const void *buf, int count, MPI_Datatype datatype,
                      struct span *data)
{
    int rc = check_file_reads(w, fh);
    return rc ? rc : check_file_data(w, fh, buf, count, datatype, data);
}

static int check_write(struct where w, ep_file fh, const void *buf, int count, MPI_Datatype datatype,
                       struct span *data)
{
    int rc = check_file_writes(w, fh);
    return rc ? rc : check_file_data(w, fh, buf, count, datatype, data);
}

static int check_at(struct where w, ep_file fh, MPI_Offset offset)
{
    int rc = check_sequential(w, fh);
    return rc ? rc : check_offset(w, offset, "offset");
}

static int give_byte_offset(struct where w, ep_file fh, MPI_Offset offset, MPI_Offset *disp)
{
    if (!file_layout_reaches(&fh->layout, offset, 1))
        return raise_error(w, MPI_ERR_ARG, "argument offset is %lld: no file is that long",
                           (long long)offset);
    *disp = file_layout_place(&fh->layout, file_bytes_at(fh, offset));
    return MPI_SUCCESS;
}

/* Of a call that all make: an error goes to all. */
static int check_all(struct where w, ep_file fh, bool writes, MPI_Offset offset, const void *buf, int count,
                     MPI_Datatype datatype, struct span *data)
{
    int rc = check_at(w, fh, offset);
    if (rc)
        return rc;
    return writes ? check_write(w, fh, buf, count, datatype, data)
                  : check_read(w, fh, buf, count, datatype, data);
}

static int check_whence(struct where w, int whence)
{
    if (likely(whence == MPI_SEEK_SET || whence == MPI_SEEK_CUR || whence == MPI_SEEK_END))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG,
                       "argument whence is %d: it must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END",
                       whence);
}

#include "api/file.inc"
