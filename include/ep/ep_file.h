/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_file.h: the part of ep.h about files, parallel input and output (MPI 13). Included by ep.h. */
#ifndef EP_EP_FILE_H
#define EP_EP_FILE_H

#include "ep.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EP_FILE_NULL ((ep_file)0)

/* ---- Files (MPI 13.2) ----------------------------------------------------------------------
 * A file that the endpoints of a communicator have opened together. A handle ep_file belongs to one endpoint,
 * which has its own view and file pointer; a process opens the file once, however many endpoints it has.
 *   filename   of the operating system's file system; names of all endpoints lead to one file
 *   amode      the same everywhere: one of MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_WRONLY, and any of
 *              MPI_MODE_CREATE, MPI_MODE_EXCL, MPI_MODE_DELETE_ON_CLOSE, MPI_MODE_UNIQUE_OPEN,
 *              MPI_MODE_SEQUENTIAL, MPI_MODE_APPEND
 *   info       MPI_INFO_NULL or hints (MPI 13.2.8). These mean something here, others are kept and change
 *              nothing: file_perm (octal, of a new file), ind_rd_buffer_size and ind_wr_buffer_size (bytes,
 *              of an endpoint's buffer), cb_buffer_size (bytes of a block of the file that an endpoint moves
 *              for others in collective accesses; that of endpoint 0 counts), romio_ds_read and
 *              romio_ds_write (enable, disable, automatic: see "Data access")
 *   comm       an intracommunicator; it is duplicated and not kept
 * What is collective is called by every endpoint of the file, each from its own thread, in the same order as
 * its other collective calls on this file. It blocks until all have come, meanwhile making progress, and all
 * get the class of an error that one of them has. All others are local. Offsets and sizes are MPI_Offset, 64
 * bits.
 * Errors are raised on the file's error handler. A new file has that of EP_FILE_NULL, which is
 * EP_ERRORS_RETURN at first; what has no file (ep_file_open, ep_file_delete, an invalid handle) is raised on
 * that of EP_FILE_NULL itself (MPI 13.7). Classes: MPI_ERR_FILE (EP_FILE_NULL, or a closed or invalid
 * handle), MPI_ERR_ARG (null pointers, offsets that are negative or that no file reaches, data for a view that
 * has none), MPI_ERR_NOT_SAME (endpoints disagree about what must be the same),
 * MPI_ERR_UNSUPPORTED_OPERATION (of a file opened with MPI_MODE_SEQUENTIAL),
 * MPI_ERR_NO_MEM; and from the system, whose words are in the text: MPI_ERR_NO_SUCH_FILE,
 * MPI_ERR_FILE_EXISTS, MPI_ERR_FILE_IN_USE, MPI_ERR_BAD_FILE (no name of a file), MPI_ERR_ACCESS,
 * MPI_ERR_READ_ONLY, MPI_ERR_NO_SPACE, MPI_ERR_QUOTA, MPI_ERR_IO (all else). */

/* Open filename (MPI 13.2.1). The pointers are at 0, with MPI_MODE_APPEND at the end; the view is bytes from
 * 0 on. With MPI_MODE_CREATE one process makes it. *fh is EP_FILE_NULL after an error. Collective; blocks.
 * Errors: also MPI_ERR_COMM, MPI_ERR_AMODE, MPI_ERR_INFO. */
EP_PUBLIC int ep_file_open(ep_comm comm, const char *filename, int amode, MPI_Info info, ep_file *fh);
/* *fh becomes EP_FILE_NULL; with MPI_MODE_DELETE_ON_CLOSE the file is deleted (MPI 13.2.2). Everything
 * written is there for whoever opens the file then; that it is on the device only ep_file_sync says. The
 * handle is gone also after an error of the system. Collective; blocks. */
EP_PUBLIC int ep_file_close(ep_file *fh);
/* Delete a file; who has it open may use it on (MPI 13.2.3). info has no hints for that. Local, by any
 * thread. */
EP_PUBLIC int ep_file_delete(const char *filename, MPI_Info info);
/* Make the file size bytes long, the same everywhere: what is beyond is lost, what is new is 0 (MPI 13.2.4).
 * Pointers stay. Collective; blocks. */
EP_PUBLIC int ep_file_set_size(ep_file fh, MPI_Offset size);
/* Have the system reserve size bytes, the same everywhere; a shorter file becomes that long (MPI 13.2.5).
 * Collective; blocks. */
EP_PUBLIC int ep_file_preallocate(ep_file fh, MPI_Offset size);
/* Bytes of the file now (MPI 13.2.6). Local. */
EP_PUBLIC int ep_file_get_size(ep_file fh, MPI_Offset *size);
/* The endpoints of the file; a new handle, to be freed by ep_group_free (MPI 13.2.7). Local. */
EP_PUBLIC int ep_file_get_group(ep_file fh, ep_group *group);
/* amode of ep_file_open (MPI 13.2.7). Local. */
EP_PUBLIC int ep_file_get_amode(ep_file fh, int *amode);
/* Add hints to those of this endpoint (MPI 13.2.8). Collective in MPI; here it waits for nobody. Errors:
 * MPI_ERR_INFO. */
EP_PUBLIC int ep_file_set_info(ep_file fh, MPI_Info info);
/* A new info, to be freed by the caller: the hints that mean something here, with their present values (MPI
 * 13.2.8). Local. */
EP_PUBLIC int ep_file_get_info(ep_file fh, MPI_Info *info_used);

/* ---- Views (MPI 13.3) ---------------------------------------------------------------------- */

/* What of the file this endpoint sees, from disp bytes on: the data of filetype, again and again; offsets
 * count etypes (MPI 13.3). The pointer goes to 0. Both types are committed, filetype is made of etypes, at
 * displacements that are not negative and do not decrease; where the file can be written nothing in it
 * overlaps (else MPI_ERR_TYPE). They may be freed at once. disp may be MPI_DISPLACEMENT_CURRENT where the
 * file is MPI_MODE_SEQUENTIAL, and must be. datarep: "native", "internal" (the same here); else
 * MPI_ERR_UNSUPPORTED_DATAREP. datarep and the extent of etype are the same everywhere; info as in
 * ep_file_set_info. Collective; blocks. */
EP_PUBLIC int ep_file_set_view(ep_file fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                               const char *datarep, MPI_Info info);
/* The view; datarep has room for MPI_MAX_DATAREP_STRING characters (MPI 13.3). The types are new handles, to
 * be freed by MPI_Type_free, unless they are predefined. Local. */
EP_PUBLIC int ep_file_get_view(ep_file fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
                               char *datarep);
/* The extent of datatype in the file, in the present view's representation (MPI 13.5.1). Local. */
EP_PUBLIC int ep_file_get_type_extent(ep_file fh, MPI_Datatype datatype, MPI_Aint *extent);

/* ---- Data access (MPI 13.4) ----------------------------------------------------------------
 * Between the caller's buffer and the file as its view shows it.
 *   buf, count, datatype   count (0 or more) elements of any committed datatype, a whole number of etypes
 *                          (else MPI_ERR_TYPE)
 *   offset                 0 or more, in etypes from the beginning of the view
 *   status                 EP_STATUS_IGNORE or what ep_get_count tells of: a read ends at the end of the
 *                          file, so it may be less than count. Source and tag mean nothing
 * The file pointer of the endpoint is moved by what was asked for. These calls block until the data are
 * moved; those that are not collective wait for nobody else (but in atomic mode for accesses to the same
 * bytes).
 * Reads of small pieces read what is between them, too, and pick them out (data sieving), unless
 * romio_ds_read is disable. Writes of small pieces are made one by one: what is between them others may be
 * writing. With romio_ds_write=enable, given by any endpoint to ep_file_open, they are made in larger blocks,
 * which are read, changed and written with their bytes locked; then all who write into the file at the same
 * time have to have opened it so.
 * In collective accesses endpoints whose pieces interleave move the data together: each takes a part of the
 * file, straight from and to the memory of those of its process, and by messages of others. An error that
 * one endpoint has all get; then nothing is said about what was moved.
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER (null with data), MPI_ERR_ACCESS (a read, opened with
 * MPI_MODE_WRONLY), MPI_ERR_READ_ONLY (a write, opened with MPI_MODE_RDONLY), and those of the system; the
 * status then says what was moved before. */

/* Read at offset, without the file pointer (MPI 13.4.2). */
EP_PUBLIC int ep_file_read_at(ep_file fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                              ep_status *status);
/* Write at offset, without the file pointer (MPI 13.4.2). */
EP_PUBLIC int ep_file_write_at(ep_file fh, MPI_Offset offset, const void *buf, int count,
                               MPI_Datatype datatype, ep_status *status);
/* Read at the endpoint's file pointer (MPI 13.4.3). */
EP_PUBLIC int ep_file_read(ep_file fh, void *buf, int count, MPI_Datatype datatype, ep_status *status);
/* Write at the endpoint's file pointer (MPI 13.4.3). */
EP_PUBLIC int ep_file_write(ep_file fh, const void *buf, int count, MPI_Datatype datatype, ep_status *status);
/* As ep_file_read_at, of all endpoints together, each with what it gives (MPI 13.4.2). Collective; blocks. */
EP_PUBLIC int ep_file_read_at_all(ep_file fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                                  ep_status *status);
/* As ep_file_write_at, of all endpoints together (MPI 13.4.2). Collective; blocks. */
EP_PUBLIC int ep_file_write_at_all(ep_file fh, MPI_Offset offset, const void *buf, int count,
                                   MPI_Datatype datatype, ep_status *status);
/* As ep_file_read, of all endpoints together (MPI 13.4.3). Collective; blocks. */
EP_PUBLIC int ep_file_read_all(ep_file fh, void *buf, int count, MPI_Datatype datatype, ep_status *status);
/* As ep_file_write, of all endpoints together (MPI 13.4.3). Collective; blocks. */
EP_PUBLIC int ep_file_write_all(ep_file fh, const void *buf, int count, MPI_Datatype datatype,
                                ep_status *status);
/* Move the endpoint's file pointer to offset etypes from the beginning of the view (MPI_SEEK_SET), from where
 * it is (MPI_SEEK_CUR), or from the first etype of the view behind the end of the file (MPI_SEEK_END); not
 * before the beginning (MPI_ERR_ARG) (MPI 13.4.3). Local. */
EP_PUBLIC int ep_file_seek(ep_file fh, MPI_Offset offset, int whence);
/* The endpoint's file pointer, in etypes (MPI 13.4.3). Local. */
EP_PUBLIC int ep_file_get_position(ep_file fh, MPI_Offset *offset);
/* Where in the file, in bytes from its beginning, an offset of the view is (MPI 13.4.3). Local. */
EP_PUBLIC int ep_file_get_byte_offset(ep_file fh, MPI_Offset offset, MPI_Offset *disp);

/* ---- Consistency (MPI 13.6) ---------------------------------------------------------------- */

/* With flag not 0 each access of any endpoint is seen by the others as a whole or not at all, also of other
 * processes of all machines where the file system has locks (NFS: mounted with noac) (MPI 13.6.1). The same
 * everywhere. Collective; blocks. */
EP_PUBLIC int ep_file_set_atomicity(ep_file fh, int flag);
/* *flag = 1 in atomic mode, else 0 (MPI 13.6.1). Local. */
EP_PUBLIC int ep_file_get_atomicity(ep_file fh, int *flag);
/* What was written by the endpoints of the file goes to the device, and what others have written is seen (MPI
 * 13.6.1). Collective; blocks. */
EP_PUBLIC int ep_file_sync(ep_file fh);

/* ---- Error handlers of files (MPI 8.3.3) --------------------------------------------------- */

/* Called with the endpoint's file (EP_FILE_NULL for what has none), the error code and, as third argument, a
 * const char * with the full message. */
typedef void ep_file_errhandler_function(ep_file *file, int *error_code, ...);
/* An error handler for files alone (MPI 8.3.3). Freed by ep_errhandler_free. Any thread. Errors: MPI_ERR_ARG
 * (null pointers), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_file_create_errhandler(ep_file_errhandler_function *file_errhandler_fn,
                                        ep_errhandler *errhandler);
/* The error handler of this endpoint on this file from now on: one for files, EP_ERRORS_ARE_FATAL or
 * EP_ERRORS_RETURN (else MPI_ERR_ARG) (MPI 8.3.3). file may be EP_FILE_NULL: of what has no file, and of
 * files that are opened later, of the endpoint that the calling thread is bound to (of the process, if it is
 * bound to none). Local. */
EP_PUBLIC int ep_file_set_errhandler(ep_file file, ep_errhandler errhandler);
/* The handler that ep_file_set_errhandler sets; a new handle, to be freed by ep_errhandler_free (MPI 8.3.3).
 * Local. */
EP_PUBLIC int ep_file_get_errhandler(ep_file file, ep_errhandler *errhandler);
/* Call the handler as if errorcode had happened (MPI 8.5); fh may be EP_FILE_NULL. MPI_SUCCESS when it
 * returns. Local. */
EP_PUBLIC int ep_file_call_errhandler(ep_file fh, int errorcode);

/* The number of a file's handle, valid until it is closed (MPI 17.2.4). Any thread. */
EP_PUBLIC MPI_Fint ep_file_c2f(ep_file file);
/* The file with this number, or EP_FILE_NULL (MPI 17.2.4). Any thread. */
EP_PUBLIC ep_file ep_file_f2c(MPI_Fint file);

#ifdef __cplusplus
}
#endif
#endif
